package io.kvrouter.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** HTTP/1.1, whose text is mutated as a whole. */
final class Http1 implements Dialect {
    @Override
    public byte[] mutated(RightRequest request, RandomGenerator random) {
        byte[] right = text(request, random.nextBoolean()).getBytes(StandardCharsets.UTF_8);
        byte[] mutated = Mutations.of(right, random);
        while (failsBefore(mutated)) {
            mutated = Mutations.of(right, random);
        }
        return mutated;
    }

    private static String text(RightRequest request, boolean chunked) {
        var text = new StringBuilder("%s %s HTTP/1.1\r\nHost: r\r\n".formatted(request.method(), request.path()));
        request.fields().forEach(field -> text.append("%s: %s\r\n".formatted(field.name(), field.value())));
        int length = request.bytes().length;
        if (length == 0) {
            return text.append("\r\n").toString();
        }
        return chunked
                ? text.append("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                                .formatted(length, request.body()))
                        .toString()
                : text.append("Content-Length: %d\r\n\r\n%s".formatted(length, request.body()))
                        .toString();
    }

    /** Pekko HTTP 1.3.0 fails at chunks in HTTP/1.0, with a 500 and an error in the log, before the router sees them. */
    private static boolean failsBefore(byte[] request) {
        String text = latin(request);
        return text.contains(" HTTP/1.0\r\n") && text.contains("chunked");
    }

    @Override
    public boolean whole(byte[] read) {
        String text = latin(read).toLowerCase(Locale.ROOT);
        boolean headOnly = text.contains("content-length: 0\r\n") || text.startsWith("http/1.1 204");
        return text.endsWith("}") || text.endsWith("0\r\n\r\n") || (headOnly && text.endsWith("\r\n\r\n"));
    }

    @Override
    public boolean answered(byte[] read) {
        return read.length > 0;
    }

    @Override
    public boolean failed(byte[] read) {
        String text = latin(read);
        boolean own = !text.contains("x-router-worker:");
        return own && (text.startsWith("HTTP/1.1 500 ") || text.contains("internal_error"));
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
