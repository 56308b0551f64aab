package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import io.kvrouter.http.access.AccessSettings;
import io.kvrouter.http.cors.CrossOriginSettings;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the API is to its clients.
 *
 * @param aliases names of models that requests may use beside the workers' own: alias -> the name that workers serve
 * @param crossOrigin which pages may call it from a browser
 * @param access who may, and what the workers behind it are shown
 */
public record ApiSettings(Map<String, String> aliases, CrossOriginSettings crossOrigin, AccessSettings access) {
    static final String ALIASES = "model-aliases";

    public ApiSettings {
        aliases = Map.copyOf(aliases);
    }

    /**
     * From a node's whole configuration.
     *
     * @throws SettingException the first setting that can't be used
     */
    public static ApiSettings from(Config config) {
        var settings = new SettingsReader(config);
        var origins = settings.list("cors.origins", origin -> origin);
        var maxAge = settings.duration("cors.max-age");
        return new ApiSettings(
                aliases(settings), new CrossOriginSettings(Set.copyOf(origins), maxAge), AccessReader.read(settings));
    }

    private static Map<String, String> aliases(SettingsReader settings) {
        Map<String, String> aliases = new TreeMap<>();
        for (String alias : settings.read(ALIASES, (c, key) -> c.getObject(key).keySet())) {
            aliases.put(alias, settings.text(ALIASES + "." + ConfigUtil.quoteString(alias)));
        }
        aliases.forEach((alias, name) -> settings.require(
                ALIASES + "." + ConfigUtil.quoteString(alias),
                !aliases.containsKey(name),
                name + " (expected: the name of a model, and not an alias)"));
        return aliases;
    }
}
