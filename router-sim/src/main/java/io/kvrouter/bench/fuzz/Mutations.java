package io.kvrouter.bench.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Bytes that were right, and are not quite any more. */
final class Mutations {
    private static final int MOST = 4;
    private static final int LONGEST = 2_000;

    /** What parsers of HTTP, JSON and events stumble over. */
    private static final List<String> WORDS = List.of(
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            "\0",
            "\"",
            "{",
            "}",
            "[",
            "]",
            "\\u0000",
            "\\",
            ",",
            ":",
            "data:",
            ": ",
            "[DONE]",
            "Content-Length: 0\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Connection: close\r\n",
            "Connection: upgrade\r\nUpgrade: h2c\r\n",
            "Expect: 100-continue\r\n",
            "x-session-id: \u0001\r\n",
            " HTTP/1.1",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "0\r\n\r\n",
            "ffffffffffffffff\r\n",
            "-1\r\n",
            "1;x=y\r\na\r\n",
            "null",
            "true",
            "1e999",
            "-0",
            "\ud83d\ude00",
            "%00",
            "%",
            "?",
            "../",
            "//",
            " ",
            "\t");

    private Mutations() {}

    /** A few of the bytes cut out, doubled, changed, exchanged or added; now and then none. */
    static byte[] of(byte[] right, RandomGenerator random) {
        byte[] bytes = right;
        for (int i = random.nextInt(MOST + 1); i > 0; i--) {
            bytes = once(bytes, random);
        }
        return bytes;
    }

    private static byte[] once(byte[] bytes, RandomGenerator random) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(1 + random.nextInt(bytes.length + 1)));
        return switch (random.nextInt(7)) {
            case 0 -> joined(bytes, from, new byte[0], to); // cut out
            case 1 -> Arrays.copyOf(bytes, from); // cut off
            case 2 -> joined(bytes, to, Arrays.copyOfRange(bytes, from, to), to); // doubled
            case 3 -> joined(bytes, from, noise(random), Math.min(bytes.length, from + 1));
            case 4 -> flipped(bytes, from, random);
            case 5 ->
                joined(bytes, from, "z".repeat(random.nextInt(LONGEST)).getBytes(StandardCharsets.US_ASCII), from);
            default -> joined(bytes, from, word(random), from);
        };
    }

    private static byte[] word(RandomGenerator random) {
        return WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] noise(RandomGenerator random) {
        byte[] noise = new byte[1 + random.nextInt(8)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] flipped(byte[] bytes, int at, RandomGenerator random) {
        byte[] copy = bytes.clone();
        if (at < copy.length) {
            copy[at] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private static byte[] joined(byte[] bytes, int until, byte[] middle, int from) {
        var all = new ByteArrayOutputStream(bytes.length + middle.length);
        all.write(bytes, 0, until);
        all.writeBytes(middle);
        all.write(bytes, from, bytes.length - from);
        return all.toByteArray();
    }
}
