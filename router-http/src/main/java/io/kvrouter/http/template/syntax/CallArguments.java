package io.kvrouter.http.template.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call is written with.
 *
 * @param names of the last arguments, which are passed by name
 * @param values of all arguments, those by position first
 * @param moreValues {@code *values}
 * @param moreNamed {@code **named}
 */
public record CallArguments(
        List<String> names,
        List<Expr> values,
        @Nullable Expr moreValues,
        @Nullable Expr moreNamed) {
    public static final CallArguments NONE = new CallArguments(List.of(), List.of(), null, null);

    public int positional() {
        return values.size() - names.size();
    }
}
