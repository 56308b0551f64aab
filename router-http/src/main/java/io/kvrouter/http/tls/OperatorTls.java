package io.kvrouter.http.tls;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How commands speak to a management port with TLS: by the files that the environment names as
 * {@code KVROUTER_OPERATOR_TLS_CA}, {@code _CERTIFICATE} and {@code _KEY}.
 */
public final class OperatorTls {
    private static final String PREFIX = "KVROUTER_OPERATOR_TLS";

    private OperatorTls() {}

    /**
     * Reads them; empty if there are none, which means plain HTTP.
     *
     * @throws io.kvrouter.http.settings.SettingException naming the one that can't be used
     */
    public static Optional<SSLContext> from(Map<String, String> environment) {
        Config config = ConfigFactory.empty();
        for (String name : List.of("certificate", "key", "ca")) {
            String file = environment.get(PREFIX + "_" + name.toUpperCase(Locale.ROOT));
            if (file != null) {
                config = config.withValue(PREFIX + "." + name, ConfigValueFactory.fromAnyRef(file));
            }
        }
        return FaceTls.open(TlsFiles.of(config, PREFIX), Clock.systemUTC()).map(FaceTls::context);
    }
}
