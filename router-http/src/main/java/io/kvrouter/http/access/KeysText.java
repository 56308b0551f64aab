package io.kvrouter.http.access;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import io.kvrouter.access.Caller;
import io.kvrouter.access.CallerLimits;
import io.kvrouter.access.HolderName;
import io.kvrouter.access.KeyHash;
import io.kvrouter.access.Keyring;
import io.kvrouter.access.Operator;
import io.kvrouter.access.Operator.Right;
import io.kvrouter.access.Trust;
import io.kvrouter.admission.CallerShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Keys as they are written, in HOCON or JSON: {@code callers.NAME { keys, models, group, trust, share, limits }} and
 * {@code operators.NAME { keys, rights }}. What is not known is refused, and so is the whole text. Messages name places
 * and never values: who writes a key where its hash belongs does not find it in a log.
 */
public final class KeysText {
    private static final String CALLERS = "callers";
    private static final String OPERATORS = "operators";
    private static final String KEYS = "keys";
    private static final String SHARE = "share";
    private static final String IN_FLIGHT = "requests-in-flight";
    private static final String TOKENS = "tokens-per-minute";

    private KeysText() {}

    /** Throws {@link IllegalArgumentException}, with one line that says where it is wrong. */
    public static Keys parse(String text) {
        try {
            Config all = ConfigFactory.parseString(text).resolve(ConfigResolveOptions.noSystem());
            requireOnly(all, CALLERS, OPERATORS);
            return new Keys(
                    ring(all, CALLERS, KeysText::caller),
                    ring(all, OPERATORS, KeysText::operator),
                    all.hasPath(OPERATORS));
        } catch (ConfigException e) { // whose message may quote the text
            int line = e.origin() == null ? -1 : e.origin().lineNumber();
            throw new IllegalArgumentException(line < 0 ? "not as expected" : "line " + line + ": not as expected");
        }
    }

    /** The line by which one more key of a holder is written; the name decides what it is about. */
    public static String entry(boolean operator, String name, KeyHash hash) {
        return (operator ? OPERATORS : CALLERS) + "." + ConfigUtil.quoteString(name) + "." + KEYS + " += \""
                + hash.text() + "\"";
    }

    private static <T> Keyring<T> ring(Config all, String section, BiFunction<String, Config, T> holder) {
        List<Keyring.Entry<T>> entries = new ArrayList<>();
        if (all.hasPath(section)) {
            for (String name : all.getObject(section).keySet()) {
                Config one = all.getConfig(section).getConfig(ConfigUtil.quoteString(name));
                within(section, () -> HolderName.require(name));
                within(section + "." + name, () -> {
                    T held = holder.apply(name, one);
                    texts(one, KEYS).forEach(key -> entries.add(new Keyring.Entry<>(KeyHash.parse(key), held)));
                });
            }
        }
        within(section, () -> new Keyring<>(entries));
        return new Keyring<>(entries);
    }

    private static void within(String place, Runnable read) {
        try {
            read.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    private static Caller caller(String name, Config one) {
        requireOnly(one, KEYS, "models", "group", "trust", SHARE, "limits");
        return new Caller(
                name,
                Set.copyOf(texts(one, "models")),
                one.hasPath("group") ? Optional.of(one.getString("group")) : Optional.empty(),
                constants(one, "trust", Trust.values()),
                one.hasPath("limits") ? limits(one.getConfig("limits")) : CallerLimits.NONE,
                one.hasPath(SHARE) ? one.getInt(SHARE) : CallerShare.DEFAULT);
    }

    private static CallerLimits limits(Config limits) {
        requireOnly(limits, IN_FLIGHT, TOKENS);
        return new CallerLimits(
                limits.hasPath(IN_FLIGHT) ? OptionalInt.of(limits.getInt(IN_FLIGHT)) : OptionalInt.empty(),
                limits.hasPath(TOKENS) ? OptionalLong.of(limits.getLong(TOKENS)) : OptionalLong.empty());
    }

    private static Operator operator(String name, Config one) {
        requireOnly(one, KEYS, "rights");
        return new Operator(
                name, one.hasPath("rights") ? constants(one, "rights", Right.values()) : Set.of(Right.READ));
    }

    private static List<String> texts(Config config, String key) {
        return config.hasPath(key) ? config.getStringList(key) : List.of();
    }

    private static <E extends Enum<E>> Set<E> constants(Config config, String key, E[] known) {
        Set<E> constants = new HashSet<>();
        for (String text : texts(config, key)) {
            constants.add(Arrays.stream(known)
                    .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            key + " (expected: of " + Arrays.toString(known).toLowerCase(Locale.ROOT) + ")")));
        }
        return constants;
    }

    private static void requireOnly(Config config, String... known) {
        if (!Set.of(known).containsAll(config.root().keySet())) {
            throw new IllegalArgumentException(
                    "a field that is not known (expected: of " + Arrays.toString(known) + ")");
        }
    }
}
