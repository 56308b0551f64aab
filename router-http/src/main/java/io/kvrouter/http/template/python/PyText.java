package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyIterator;
import io.kvrouter.http.template.value.PyObject;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.TypeName;
import io.kvrouter.http.template.value.Undefined;
import java.util.List;

/** Values as text, as {@code str} and {@code repr} give it. */
public final class PyText {
    private PyText() {}

    /** {@code str(value)}. */
    public static String str(Object value) {
        if (value instanceof String text) {
            return text;
        }
        return switch (value) {
            case Markup markup -> markup.text();
            case Undefined undefined -> "";
            default -> repr(value);
        };
    }

    /** {@code repr(value)}. */
    public static String repr(Object value) {
        var out = new StringBuilder();
        repr(value, out);
        return out.toString();
    }

    private static void repr(Object value, StringBuilder out) {
        switch (value) {
            case String text -> quote(text, out);
            case List<?> list -> items(list, "[", "]", out);
            case PyTuple tuple -> items(tuple.items(), "(", tuple.items().size() == 1 ? ",)" : ")", out);
            case PyDict dict -> dict(dict, out);
            case DictView view -> {
                out.append(view.kind().typeName()).append('(');
                items(view.items(), "[", "])", out);
            }
            case Markup markup -> {
                out.append("Markup(");
                quote(markup.text(), out);
                out.append(')');
            }
            default -> out.append(simple(value));
        }
        TextLimit.check(out.length());
    }

    private static String simple(Object value) {
        return switch (value) {
            case None none -> "None";
            case Boolean truth -> truth ? "True" : "False";
            case Double number -> FloatText.of(number);
            case Number number -> number.toString();
            case Undefined undefined -> "Undefined";
            case PyRange range ->
                "range(" + range.start() + ", " + range.stop() + (range.step() == 1 ? ")" : ", " + range.step() + ")");
            case PyIterator iterator -> "<generator object>";
            case PyObject object -> object.repr();
            default -> "<" + TypeName.of(value) + ">";
        };
    }

    private static void items(List<?> items, String open, String close, StringBuilder out) {
        out.append(open);
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            repr(item, out);
            separator = ", ";
        }
        out.append(close);
    }

    private static void dict(PyDict dict, StringBuilder out) {
        out.append('{');
        int start = out.length();
        dict.forEach((key, value) -> {
            if (out.length() > start) {
                out.append(", ");
            }
            repr(key, out);
            out.append(": ");
            repr(value, out);
        });
        out.append('}');
    }

    private static void quote(String text, StringBuilder out) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c == quote) {
                        out.append('\\').append(quote);
                    } else if (Characters.isPrintable(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(escape(c));
                    }
                }
            }
        });
        out.append(quote);
    }

    private static String escape(int c) {
        if (c <= 0xff) {
            return String.format("\\x%02x", c);
        }
        return c <= 0xffff ? String.format("\\u%04x", c) : String.format("\\U%08x", c);
    }
}
