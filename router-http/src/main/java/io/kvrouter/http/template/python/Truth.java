package io.kvrouter.http.template.python;

import io.kvrouter.http.template.value.DictView;
import io.kvrouter.http.template.value.Markup;
import io.kvrouter.http.template.value.None;
import io.kvrouter.http.template.value.PyDict;
import io.kvrouter.http.template.value.PyRange;
import io.kvrouter.http.template.value.PyTuple;
import io.kvrouter.http.template.value.Undefined;
import java.math.BigInteger;
import java.util.List;

/** What Python takes for true. */
public final class Truth {
    private Truth() {}

    public static boolean of(Object value) {
        return switch (value) {
            case Boolean truth -> truth;
            case String text -> !text.isEmpty();
            case Markup markup -> !markup.text().isEmpty();
            case None none -> false;
            case Undefined undefined -> false;
            case List<?> list -> !list.isEmpty();
            case PyDict dict -> dict.size() > 0;
            case PyTuple tuple -> !tuple.items().isEmpty();
            case Long number -> number != 0;
            case Double number -> number != 0;
            case BigInteger number -> number.signum() != 0;
            case PyRange range -> range.length() > 0;
            case DictView view -> view.dict().size() > 0;
            default -> true;
        };
    }
}
