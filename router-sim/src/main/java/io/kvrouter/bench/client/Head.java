package io.kvrouter.bench.client;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.util.OptionalInt;

/**
 * The head of an answer.
 *
 * @param worker that answered, as the router names it; empty if it does not say
 * @param decision why it was that one
 * @param overlapTokens of the prompt that the router expected the worker to have, if it knew before it sent it there
 */
public record Head(int status, String worker, String decision, OptionalInt overlapTokens, boolean keepAlive) {
    static final Head NONE = new Head(0, "", "none", OptionalInt.empty(), false);

    private static final int OK = 200;

    static Head of(HttpResponse response) {
        Integer overlap = response.headers().getInt("x-router-overlap-tokens");
        return new Head(
                response.status().code(),
                response.headers().get("x-router-worker", ""),
                response.headers().get("x-router-decision", "none"),
                overlap == null ? OptionalInt.empty() : OptionalInt.of(overlap),
                HttpUtil.isKeepAlive(response));
    }

    public boolean good() {
        return status == OK;
    }
}
