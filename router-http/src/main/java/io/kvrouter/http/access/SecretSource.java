package io.kvrouter.http.access;

import io.kvrouter.http.file.WatchedFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/** Where a secret is: never in the settings themselves, which get printed and copied. */
public sealed interface SecretSource {
    /** A file, with nothing else in it. */
    record OfFile(Path path) implements SecretSource {}

    /** A variable of the environment. */
    record OfEnvironment(String variable) implements SecretSource {}

    /** Written as {@code file:PATH} or {@code env:NAME}. What else is written stays out of the message. */
    static SecretSource parse(String text) {
        String where = text.substring(text.indexOf(':') + 1).strip();
        try {
            if (text.startsWith("file:") && !where.isEmpty()) {
                return new OfFile(Path.of(where));
            }
        } catch (InvalidPathException e) {
            throw expected();
        }
        if (text.startsWith("env:") && where.matches("\\w+")) {
            return new OfEnvironment(where);
        }
        throw expected();
    }

    private static IllegalArgumentException expected() {
        return new IllegalArgumentException("a secret itself, or nothing (expected: file:PATH or env:NAME)");
    }

    /**
     * The secret as it is now, at any time.
     *
     * @throws IllegalArgumentException it is not there, or no token
     */
    default Supplier<String> open(Map<String, String> environment) {
        return switch (this) {
            case OfFile(Path path) -> WatchedFiles.open(path, SecretSource::token);
            case OfEnvironment(String variable) -> {
                String token = within(variable, environment.getOrDefault(variable, ""));
                yield () -> token;
            }
        };
    }

    private static String within(String variable, String text) {
        try {
            return token(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(variable + ": " + e.getMessage(), e);
        }
    }

    private static String token(String text) {
        String token = text.strip();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("no secret (expected: one word of visible ASCII)");
        }
        return token;
    }
}
