package io.kvrouter.http.template.value;

/**
 * A text that is safe in HTML, as {@code safe} and {@code escape} give it. It is a text in every way but one: what is
 * added to it, and what it is added to, is escaped, even though templates for chats escape nothing else.
 */
public record Markup(String text) {
    /** The value as markup: a text is escaped unless it is markup already. */
    public static Markup escape(Object text) {
        return text instanceof Markup markup ? markup : new Markup(escaped(String.valueOf(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace(">", "&gt;")
                .replace("<", "&lt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }

    /** The plain text of markup; any other value as it is. */
    public static Object plain(Object value) {
        return value instanceof Markup markup ? markup.text() : value;
    }
}
