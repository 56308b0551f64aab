package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads settings under {@code kvrouter}; whatever is wrong with one becomes a {@link SettingException} with its key. */
final class SettingsReader {
    static final String ROOT = "kvrouter";
    private static final int MAX_PORT = 65_535;

    private static final Pattern KEY = Pattern.compile(ROOT + "(\\.[a-z0-9-]+)+");

    private final Config config;

    SettingsReader(Config config) {
        this.config = config.getConfig(ROOT);
    }

    String text(String key) {
        String value = read(key, Config::getString);
        require(key, !value.isBlank(), "\"" + value + "\" (expected: a text that is not blank)");
        return value;
    }

    int port(String key) {
        int value = whole(key);
        require(key, value >= 0 && value <= MAX_PORT, value + " (expected: 0 to " + MAX_PORT + ", 0 = any free port)");
        return value;
    }

    int atLeast(int least, String key) {
        int value = whole(key);
        require(key, value >= least, value + " (expected: >= " + least + ")");
        return value;
    }

    /** The library would cut off a fraction. */
    private int whole(String key) {
        double value = number(key);
        require(key, value == Math.rint(value), value + " (expected: a whole number)");
        return read(key, Config::getInt);
    }

    double number(String key) {
        return read(key, Config::getDouble);
    }

    boolean has(String key) {
        return read(key, Config::hasPath);
    }

    Duration duration(String key) {
        Duration value = read(key, Config::getDuration);
        require(key, !value.isNegative(), value + " (expected: >= 0)");
        return value;
    }

    Duration positive(String key) {
        Duration value = duration(key);
        require(key, !value.isZero(), value + " (expected: > 0)");
        return value;
    }

    /**
     * What a part of the node reads for itself, checked with the rest: before anything starts.
     *
     * @param section where its settings are; their names are in the messages of what it throws
     */
    void checked(String section, Supplier<?> read) {
        try {
            var unused = read.get();
        } catch (ConfigException | IllegalArgumentException e) {
            String message = withoutOrigin(String.valueOf(e.getMessage()));
            Matcher key = KEY.matcher(message);
            throw key.find()
                    ? new SettingException(
                            key.group(), message.substring(key.end()).replaceFirst("^[': ]+", ""))
                    : new SettingException(ROOT + "." + section, message);
        }
    }

    /** A list; also written as one text with commas, as in an environment variable or a flag. */
    <T> List<T> list(String key, Function<String, T> parse) {
        return read(
                        key,
                        (c, k) -> c.getValue(k).unwrapped() instanceof List<?>
                                ? c.getStringList(k)
                                : List.of(c.getString(k).split(",")))
                .stream()
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .map(item -> parsed(key, item, parse))
                .toList();
    }

    <T> T parsed(String key, Function<String, T> parse) {
        return parsed(key, text(key), parse);
    }

    private static <T> T parsed(String key, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new SettingException(ROOT + "." + key, String.valueOf(e.getMessage()));
        }
    }

    void require(String key, boolean holds, String otherwise) {
        if (!holds) {
            throw new SettingException(ROOT + "." + key, otherwise);
        }
    }

    /** Reads by any getter of the library. */
    <T> T read(String key, BiFunction<Config, String, T> getter) {
        try {
            return getter.apply(config, key);
        } catch (ConfigException.Missing e) {
            throw new SettingException(ROOT + "." + key, "missing");
        } catch (ConfigException e) {
            throw new SettingException(ROOT + "." + key, withoutOrigin(String.valueOf(e.getMessage())));
        }
    }

    /** The library puts "file: 12: " in front, or "hardcoded value: " where a flag or variable set it. */
    private static String withoutOrigin(String message) {
        return message.replaceFirst("^(hardcoded value: |.*?\\d+: )", "");
    }
}
