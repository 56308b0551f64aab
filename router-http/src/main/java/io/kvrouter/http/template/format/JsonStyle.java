package io.kvrouter.http.template.format;

import org.jspecify.annotations.Nullable;

/**
 * How {@code json.dumps} writes.
 *
 * @param ascii escape all that is not ASCII
 * @param indent what a level is indented by; null for all on one line
 * @param itemSeparator between items
 * @param keySeparator between a key and its value
 * @param sortKeys keys in order instead of as they came
 */
public record JsonStyle(
        boolean ascii, @Nullable String indent, String itemSeparator, String keySeparator, boolean sortKeys) {
    public static final JsonStyle COMPACT = new JsonStyle(false, null, ", ", ": ", false);
}
