package io.kvrouter.http.settings;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A place in a request where a session id may be. */
public sealed interface SessionSource {
    /**
     * A header, its name without case and with - for _.
     *
     * @param agent a second header, whose value tells apart the sessions of agents inside one id; read only with the first
     */
    record HeaderField(String name, Optional<String> agent) implements SessionSource {}

    /** A field of the body that is a text, by its dotted path. */
    record BodyField(String path) implements SessionSource {
        /** Read for something else, so never found here: a field inside the prompt is no field. */
        private static final Set<String> TAKEN = Set.of("model", "stream", "tools", "messages", "prompt", "cache_salt");

        public BodyField {
            if (TAKEN.contains(path.split("\\.", 2)[0])) {
                throw new IllegalArgumentException("body." + path + " (expected: no part of the prompt)");
            }
        }
    }

    /** Reads {@code header}, {@code header+agent-header} or {@code body.path}. */
    static SessionSource parse(String text) {
        if (Form.BODY.matcher(text).matches()) {
            return new BodyField(text.substring(Form.BODY_PREFIX.length()));
        }
        if (!Form.HEADERS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" (expected: a header, two joined by +, or body. and the path of a field)");
        }
        String[] names = text.split("\\+", -1);
        return new HeaderField(names[0].strip(), names.length == 1 ? Optional.empty() : Optional.of(names[1].strip()));
    }

    /** How sources are written. */
    final class Form {
        private static final String BODY_PREFIX = "body.";
        private static final Pattern BODY = Pattern.compile("body(\\.[\\w-]+)+");
        private static final Pattern HEADERS = Pattern.compile("[\\w-]+( *\\+ *[\\w-]+)?");

        private Form() {}
    }
}
