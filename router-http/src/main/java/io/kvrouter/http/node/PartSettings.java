package io.kvrouter.http.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.kvrouter.booking.BookingSettings;
import io.kvrouter.cluster.binding.BindingSettings;
import io.kvrouter.cluster.load.LoadSettings;
import io.kvrouter.http.server.ApiServerSettings;
import io.kvrouter.http.settings.ApiSettings;
import io.kvrouter.http.settings.KvEventSettings;
import io.kvrouter.http.settings.NodeSettings;
import io.kvrouter.http.settings.SelectionApiSettings;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.upstream.UpstreamSettings;
import io.kvrouter.kv.fleet.KvFleetSettings;
import java.util.function.Function;

/** Settings that a node's parts read themselves, all of them before anything starts. */
record PartSettings(
        UpstreamSettings upstream,
        ApiServerSettings server,
        BindingSettings bindings,
        KvFleetSettings caches,
        LoadSettings load,
        SelectionApiSettings selectionApi,
        ApiSettings api) {

    /** Reads them; throws {@link SettingException} for the first that can't be used. */
    static PartSettings read(Config config, NodeSettings.Routing routing) {
        return new PartSettings(
                checked(config, UpstreamSettings::from),
                checked(config, ApiServerSettings::from),
                checked(config, BindingSettings::of),
                checked(config, KvEventSettings::from),
                load(config, routing),
                checked(config, SelectionApiSettings::from),
                checked(config, ApiSettings::from));
    }

    private static LoadSettings load(Config config, NodeSettings.Routing routing) {
        long capacity = BookingSettings.DEFAULT.defaultCapacity();
        return checked(config, LoadSettings::of)
                .with(new BookingSettings(
                        routing.selection(), routing.recentChoices().toMillis(), capacity, routing.admission()));
    }

    /** Each part's message starts with the full key; the library's, with the file and line before it, has it too. */
    private static <T> T checked(Config config, Function<Config, T> read) {
        try {
            return read.apply(config);
        } catch (ConfigException | IllegalArgumentException e) {
            throw new SettingException(String.valueOf(e.getMessage()));
        }
    }
}
