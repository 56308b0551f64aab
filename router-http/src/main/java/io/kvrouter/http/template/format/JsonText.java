package io.kvrouter.http.template.format;

import io.kvrouter.http.template.python.Comparison;
import io.kvrouter.http.template.python.FloatText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.PythonError;
import io.kvrouter.http.template.value.TypeName;
import java.math.BigInteger;
import java.util.List;

/** Values as JSON, as Python's {@code json.dumps} writes it. */
public final class JsonText {
    private final JsonStyle style;
    private final StringBuilder out = new StringBuilder();
    private int depth;

    private JsonText(JsonStyle style) {
        this.style = style;
    }

    public static String of(Object value, JsonStyle style) {
        var text = new JsonText(style);
        text.write(value);
        return text.out.toString();
    }

    private void write(Object value) {
        switch (value) {
            case String text -> quote(text);
            case Markup markup -> quote(markup.text());
            case PyDict dict -> object(dict);
            case List<?> list -> array(list);
            case PyTuple tuple -> array(tuple.items());
            default -> out.append(scalar(value));
        }
        TextLimit.check(out.length());
    }

    private static String scalar(Object value) {
        return switch (value) {
            case None none -> "null";
            case Boolean truth -> truth ? "true" : "false";
            case Long number -> number.toString();
            case BigInteger number -> number.toString();
            case Double number -> number(number);
            default -> throw PythonError.type("Object of type " + TypeName.of(value) + " is not JSON serializable");
        };
    }

    private static String number(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "Infinity" : "-Infinity";
        }
        return FloatText.of(number);
    }

    private void array(List<?> items) {
        if (items.isEmpty()) {
            out.append("[]");
            return;
        }
        out.append('[');
        depth++;
        boolean first = true;
        for (Object item : items) {
            separate(first);
            write(item);
            first = false;
        }
        depth--;
        newLine();
        out.append(']');
    }

    private void object(PyDict dict) {
        if (dict.size() == 0) {
            out.append("{}");
            return;
        }
        out.append('{');
        depth++;
        int start = out.length();
        List<Object> keys = dict.keys();
        if (style.sortKeys()) {
            keys.sort((a, b) -> Comparison.compare(a, b, "<"));
        }
        for (Object key : keys) {
            separate(out.length() == start);
            quote(key(key));
            out.append(style.keySeparator());
            write(dict.getOrNone(key));
        }
        depth--;
        newLine();
        out.append('}');
    }

    private static String key(Object key) {
        if (key instanceof String text) {
            return text;
        }
        if (key instanceof PyTuple || key instanceof List<?>) {
            throw PythonError.type("keys must be str, int, float, bool or None, not " + TypeName.of(key));
        }
        return scalar(key);
    }

    private void separate(boolean first) {
        if (!first) {
            out.append(style.itemSeparator());
        }
        newLine();
    }

    private void newLine() {
        if (style.indent() != null) {
            out.append('\n').repeat(style.indent(), depth);
        }
    }

    private void quote(String text) {
        out.append('"');
        int done = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || (style.ascii() && c > '~')) {
                out.append(text, done, i).append(escape(c));
                done = i + 1;
            }
        }
        out.append(text, done, text.length()).append('"');
    }

    private static String escape(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case 0x7f -> "\u007f";
            default -> String.format("\\u%04x", (int) c);
        };
    }
}
