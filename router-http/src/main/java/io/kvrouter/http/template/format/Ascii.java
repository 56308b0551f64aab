package io.kvrouter.http.template.format;

/** Text with what is not ASCII written as Python escapes. */
final class Ascii {
    private Ascii() {}

    static String of(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c < 0x80) {
                out.append((char) c);
            } else {
                out.append(String.format(c <= 0xff ? "\\x%02x" : c <= 0xffff ? "\\u%04x" : "\\U%08x", c));
            }
        });
        return out.toString();
    }
}
