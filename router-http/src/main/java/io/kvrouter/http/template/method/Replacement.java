package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.TextLimit;

/** {@code str.replace}. */
public final class Replacement {
    private Replacement() {}

    public static String of(String text, String from, String to, int count) {
        if (from.isEmpty()) {
            return between(text, to, count);
        }
        int at = count == 0 ? -1 : text.indexOf(from);
        if (at < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        int done = 0;
        for (int i = 0; i < count && at >= 0; i++) {
            out.append(text, done, at).append(to);
            TextLimit.check(out.length());
            done = at + from.length();
            at = text.indexOf(from, done);
        }
        return out.append(text, done, text.length()).toString();
    }

    /** Nothing is found before each character and at the end. */
    private static String between(String text, String to, int count) {
        var out = new StringBuilder();
        int at = 0;
        for (int i = 0; i < count; i++) {
            out.append(to);
            TextLimit.check(out.length());
            if (at == text.length()) {
                return out.toString();
            }
            int next = text.offsetByCodePoints(at, 1);
            out.append(text, at, next);
            at = next;
        }
        return out.append(text, at, text.length()).toString();
    }
}
