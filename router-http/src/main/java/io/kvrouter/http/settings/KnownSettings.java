package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which keys and environment variables mean something to a node, so that no other is passed over in silence. */
final class KnownSettings {
    private static final String PREFIX = SettingsReader.ROOT + ".";

    /** Sections whose keys are names of models, or of workers. */
    private static final List<String> NAMED = List.of(
            SessionSettings.TTL_PER_MODEL,
            SessionSettings.MODE_PER_MODEL,
            TokenSettings.MODELS,
            ApiSettings.ALIASES,
            AccessReader.WORKERS);

    /** Read by {@code ./router}, its commands that ask a node, and the build. */
    private static final Set<String> OTHERS = Set.of(
            "KVROUTER_CI_RUN",
            "KVROUTER_JAVA_OPTS",
            "KVROUTER_JDK",
            "KVROUTER_JVM_DIR",
            "KVROUTER_OPERATOR_KEY",
            "KVROUTER_OPERATOR_TLS_CA",
            "KVROUTER_OPERATOR_TLS_CERTIFICATE",
            "KVROUTER_OPERATOR_TLS_KEY");

    /** What Kubernetes tells each pod of a service whose name begins with kvrouter: NAME=value. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("\\w+_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)=.*"
                    + "|\\w+_PORT=(tcp|udp|sctp)://.*");

    /** The top of all that is read: the product's own, and Pekko's. */
    private static final Set<String> TOP =
            ConfigFactory.defaultReferenceUnresolved().root().keySet();

    private final Config defaults;

    KnownSettings(Config defaults) {
        this.defaults = defaults;
    }

    /** Whether something reads what stands under this key at the top. */
    static boolean top(String key) {
        return TOP.contains(key);
    }

    /** Throws {@link SettingException} for a key that nothing reads. */
    void require(Config source) {
        for (String key : new TreeSet<>(source.root().keySet())) {
            if (!top(key)) {
                throw new SettingException(key, whereItBelongs(key));
            }
        }
        if (source.hasPath(SettingsReader.ROOT)) {
            requireOwn(source.getConfig(SettingsReader.ROOT));
        }
    }

    private String whereItBelongs(String key) {
        String own = PREFIX + ConfigUtil.joinPath(key);
        return defaults.hasPathOrNull(own)
                ? "not read at the top (expected: " + own + ")"
                : "no such setting (expected: a key under " + SettingsReader.ROOT + " or pekko)";
    }

    private void requireOwn(Config source) {
        for (var entry : source.entrySet()) {
            String key = PREFIX + entry.getKey();
            boolean named = NAMED.stream().anyMatch(section -> key.startsWith(PREFIX + section + "."));
            if (!named && !defaults.hasPathOrNull(key)) {
                throw new SettingException(key, "no such setting");
            }
        }
    }

    /** What the environment sets, by key. */
    Map<String, String> in(Map<String, String> environment) {
        return leaves().filter(key -> environment.containsKey(variable(key)))
                .filter(key -> !ofKubernetes(variable(key), environment))
                .collect(Collectors.toMap(key -> key, key -> environment.getOrDefault(variable(key), "")));
    }

    /** Variables that are named like settings, and are none. */
    List<String> unknownIn(Map<String, String> environment) {
        Set<String> settings = leaves().map(KnownSettings::variable).collect(Collectors.toSet());
        return environment.keySet().stream()
                .filter(name -> name.startsWith(variable(PREFIX)))
                .filter(name -> !settings.contains(name) && !OTHERS.contains(name))
                .filter(name -> !ofKubernetes(name, environment))
                .sorted()
                .toList();
    }

    private static boolean ofKubernetes(String name, Map<String, String> environment) {
        return OF_KUBERNETES.matcher(name + "=" + environment.get(name)).matches();
    }

    /** All keys, also of settings that are null unless they are set. */
    private Stream<String> leaves() {
        return leaves(PREFIX, defaults.getObject(SettingsReader.ROOT));
    }

    private static Stream<String> leaves(String prefix, ConfigObject section) {
        return section.entrySet().stream().flatMap(entry -> {
            String key = prefix + ConfigUtil.joinPath(entry.getKey());
            return entry.getValue() instanceof ConfigObject inner ? leaves(key + ".", inner) : Stream.of(key);
        });
    }

    /** The environment variable of a key. */
    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
