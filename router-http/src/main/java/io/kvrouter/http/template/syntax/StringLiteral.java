package io.kvrouter.http.template.syntax;

import java.util.Locale;

/** The escapes of a string literal, as Python's {@code unicode-escape} reads them after jinja2's detour over ASCII. */
final class StringLiteral {
    private final String source;
    private final int line;
    private final StringBuilder out = new StringBuilder();
    private int at;

    private StringLiteral(String source, int line) {
        this.source = source;
        this.line = line;
    }

    /** @param source what stands between the quotes */
    static String read(String source, int line) {
        return source.indexOf('\\') < 0 ? source : new StringLiteral(source, line).read();
    }

    private String read() {
        while (at < source.length()) {
            char c = source.charAt(at++);
            if (c == '\\') {
                escape(source.codePointAt(at));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private void escape(int c) {
        at += Character.charCount(c);
        switch (c) {
            case '\n' -> {}
            case 'n' -> out.append('\n');
            case 't' -> out.append('\t');
            case 'r' -> out.append('\r');
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'a' -> out.append('\u0007');
            case 'v' -> out.append('\u000b');
            case '\\', '\'', '"' -> out.append((char) c);
            case 'x' -> hex(2);
            case 'u' -> hex(4);
            case 'U' -> hex(8);
            case 'N' -> named();
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(c - '0');
            default -> unknown(c);
        }
    }

    private void hex(int digits) {
        int end = at + digits;
        try {
            int value = Integer.parseUnsignedInt(source.substring(at, end), 16);
            out.appendCodePoint(value);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TemplateSyntaxException("truncated or illegal escape of " + digits + " hex digits", line);
        }
        at = end;
    }

    private void named() {
        int end = source.indexOf('}', at);
        try {
            out.appendCodePoint(Character.codePointOf(source.substring(at + 1, end)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TemplateSyntaxException("unknown Unicode character name", line);
        }
        at = end + 1;
    }

    private void octal(int first) {
        int value = first;
        for (int i = 0; i < 2 && at < source.length() && source.charAt(at) >= '0' && source.charAt(at) <= '7'; i++) {
            value = value * 8 + source.charAt(at++) - '0';
        }
        out.append((char) value);
    }

    /** Stays as it is; what is not ASCII shows what it was written as on the detour. */
    private void unknown(int c) {
        out.append('\\');
        if (c < 0x80) {
            out.append((char) c);
        } else {
            String form = c <= 0xff ? "x%02x" : c <= 0xffff ? "u%04x" : "U%08x";
            out.append(String.format(Locale.ROOT, form, c));
        }
    }
}
