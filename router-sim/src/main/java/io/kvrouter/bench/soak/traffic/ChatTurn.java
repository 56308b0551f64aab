package io.kvrouter.bench.soak.traffic;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** A chat request as it goes over the wire, in ASCII, and when its client leaves. */
record ChatTurn(String request, Leaving leaving) {
    /** When a client leaves. */
    enum Leaving {
        /** It reads its answer. */
        NEVER,
        /** Nothing was sent. */
        UNSENT,
        /** Somewhere in the request. */
        WITHIN_REQUEST,
        /** The request is sent, the answer has not begun. */
        BEFORE_HEAD,
        /** Some of the answer was read. */
        MID_STREAM
    }

    private static final int LONGEST_PROMPT = 6_000;
    private static final int LONGEST_ANSWER = 60;
    private static final int LONGEST_DELAY_MS = 500;

    /**
     * Another one.
     *
     * @param session its session's id, none if empty
     */
    static ChatTurn draw(RandomGenerator random, String session) {
        Leaving leaving = leaving(random.nextDouble());
        String body =
                "{\"model\":\"sim-model\",\"stream\":%b,\"max_tokens\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
                        .formatted(random.nextDouble() < 0.75, 1 + random.nextInt(LONGEST_ANSWER), prompt(random));
        String head = "POST /v1/chat/completions HTTP/1.1\r\nhost: soak\r\ncontent-type: application/json\r\n"
                + "content-length: " + body.length() + "\r\n" + session(random, session) + fault(random, leaving)
                + "\r\n";
        return new ChatTurn(head + body, leaving);
    }

    byte[] bytes() {
        return request.getBytes(StandardCharsets.US_ASCII);
    }

    private static Leaving leaving(double draw) {
        if (draw < 0.55) {
            return Leaving.NEVER;
        }
        if (draw < 0.57) {
            return Leaving.UNSENT;
        }
        if (draw < 0.62) {
            return Leaving.WITHIN_REQUEST;
        }
        return draw < 0.8 ? Leaving.BEFORE_HEAD : Leaving.MID_STREAM;
    }

    /** A few beginnings, so that prompts share blocks, and a long tail of their own. */
    private static String prompt(RandomGenerator random) {
        String beginning = "word" + random.nextInt(5) + " ";
        String own = "w" + random.nextInt(10_000) + " ";
        int length = random.nextInt(LONGEST_PROMPT);
        return beginning.repeat(length / 12) + own.repeat(length / 12);
    }

    private static String session(RandomGenerator random, String session) {
        if (session.isEmpty()) {
            return "";
        }
        String last = random.nextDouble() < 0.05 ? "x-session-final: true\r\n" : "";
        return "x-session-id: " + session + "\r\n" + last;
    }

    /** What the worker does with it; a request that is never answered is one whose client leaves. */
    private static String fault(RandomGenerator random, Leaving leaving) {
        double draw = random.nextDouble();
        if (draw < 0.15) {
            return "x-sim-delay-ms: " + random.nextInt(LONGEST_DELAY_MS) + "\r\n";
        }
        if (draw < 0.2) {
            return "x-sim-status: " + new int[] {429, 500, 503}[random.nextInt(3)] + "\r\n";
        }
        if (draw < 0.24) {
            return "x-sim-cut-after-bytes: " + random.nextInt(1_000) + "\r\n";
        }
        return draw < 0.28 && leaving == Leaving.BEFORE_HEAD ? "x-sim-stall: true\r\n" : "";
    }
}
