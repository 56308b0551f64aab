package io.kvrouter.http.template.method;

import io.kvrouter.http.template.python.Iteration;
import io.kvrouter.http.template.value.Arguments;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.PyTuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of markup: those of str, with texts among the arguments escaped, and markup as the result. */
final class MarkupMethods {
    /** They only look, so that nothing gets into the markup. */
    private static final Set<String> PLAIN = Set.of(
            "split", "rsplit", "splitlines", "find", "rfind", "index", "rindex", "count", "startswith", "endswith");

    private MarkupMethods() {}

    static @Nullable Method<Markup> get(String name) {
        Method<String> method = StringMethods.get(name);
        if (method == null) {
            return null;
        }
        return PLAIN.contains(name)
                ? (self, arguments) -> marked(method.call(self.text(), plain(arguments)))
                : (self, arguments) -> marked(method.call(self.text(), escaped(arguments, name.equals("join"))));
    }

    private static Arguments plain(Arguments arguments) {
        return new Arguments(arguments.positional().stream().map(Markup::plain).toList(), arguments.named());
    }

    private static Arguments escaped(Arguments arguments, boolean items) {
        List<Object> positional = new ArrayList<>();
        for (Object value : arguments.positional()) {
            positional.add(items && Iteration.isIterable(value) ? escaped(Iteration.list(value)) : escaped(value));
        }
        Map<String, Object> named = new LinkedHashMap<>();
        arguments.named().forEach((name, value) -> named.put(name, escaped(value)));
        return new Arguments(positional, named);
    }

    private static List<Object> escaped(List<Object> items) {
        items.replaceAll(MarkupMethods::escaped);
        return items;
    }

    private static Object escaped(Object value) {
        boolean text = value instanceof String || value instanceof Markup;
        return text ? Markup.escape(value).text() : value;
    }

    private static Object marked(Object result) {
        return switch (result) {
            case String text -> new Markup(text);
            case List<?> list -> list.stream().map(MarkupMethods::marked).toList();
            case PyTuple tuple ->
                new PyTuple(tuple.items().stream().map(MarkupMethods::marked).toList());
            default -> result;
        };
    }
}
