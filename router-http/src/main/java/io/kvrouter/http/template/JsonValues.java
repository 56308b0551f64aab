package io.kvrouter.http.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvrouter.http.template.python.Numbers;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JSON as the values that Python's {@code json} makes of it. */
final class JsonValues {
    private JsonValues() {}

    static Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> dict(node);
            case ARRAY -> list(node);
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER ->
                node.isIntegralNumber() ? Numbers.integer(node.bigIntegerValue()) : (Object) node.doubleValue();
            default -> None.NONE;
        };
    }

    private static PyDict dict(JsonNode object) {
        var dict = new PyDict();
        object.properties().forEach(field -> dict.put(field.getKey(), of(field.getValue())));
        return dict;
    }

    private static List<Object> list(JsonNode array) {
        List<Object> list = new ArrayList<>(array.size());
        array.forEach(item -> list.add(of(item)));
        return list;
    }

    /** The fields of an object, as variables of a template. */
    static Map<String, Object> variables(JsonNode object) {
        Map<String, Object> variables = new HashMap<>();
        object.properties().forEach(field -> variables.put(field.getKey(), of(field.getValue())));
        return variables;
    }
}
