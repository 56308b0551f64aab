package io.kvrouter.bench.soak.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.bench.cluster.LocalNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A caller of the selection API: it books, tells how its requests go through any node and in any order, and dies in the
 * middle of every fourth.
 */
public final class ReservationCaller implements Callable<Void> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_PAUSE_MS = 300;
    private static final int LONGEST_STEP_MS = 60;
    private static final int SESSIONS = 4;
    private static final int MOST_WORDS = 300;
    private static final int OK = 200;
    private static final List<String> NEWS = List.of("/prefill_complete", "/output_block");

    private final String name;
    private final Targets targets;
    private final Tally tally;
    private final RandomGenerator random;
    private final BooleanSupplier on;

    private long made;

    public ReservationCaller(String name, Targets targets, Tally tally, RandomGenerator random, BooleanSupplier on) {
        this.name = name;
        this.targets = targets;
        this.tally = tally;
        this.random = random;
        this.on = on;
    }

    @Override
    public Void call() throws InterruptedException {
        while (on.getAsBoolean()) {
            try {
                reserve();
            } catch (IOException e) {
                tally.count("calls broken off");
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MS));
        }
        return null;
    }

    private void reserve() throws IOException, InterruptedException {
        byte[] request = request("POST", "/select_and_reserve", body());
        if (random.nextInt(10) == 0) {
            leave(request);
            return;
        }
        JsonNode answer = answer(request, "reserved");
        String id = answer.path("reservation_id").asText();
        if (id.isEmpty()) {
            return;
        }
        if (random.nextInt(8) == 0) {
            mirror(id, answer.path("worker_id").asText());
        }
        for (int steps = random.nextInt(4); steps > 0; steps--) {
            say("POST", "/reservations/" + id + NEWS.get(random.nextInt(2)));
        }
        if (random.nextInt(4) == 0) {
            tally.count("reservations left to their lease");
            return;
        }
        for (int ends = 1 + random.nextInt(2); ends > 0; ends--) {
            say("DELETE", "/reservations/" + id);
        }
        if (random.nextInt(8) == 0) {
            say("POST", "/reservations/" + id + "/prefill_complete"); // late
        }
    }

    private void leave(byte[] request) throws IOException, InterruptedException {
        try (var call = WireCall.to(node().api())) {
            call.send(request, request.length);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
        }
        tally.count("calls left");
    }

    /** A second booking of the same worker under a name of its own, or the same once more. */
    private void mirror(String id, String worker) throws IOException {
        String named = random.nextBoolean() ? id : name + "-m" + ++made;
        var body = JSON.createObjectNode()
                .put("model", "sim-model")
                .put("text", "hello ".repeat(1 + random.nextInt(MOST_WORDS)))
                .put("worker_id", worker)
                .put("reservation_id", named);
        JsonNode unused = answer(request("POST", "/reservations", body), "mirrored");
    }

    private JsonNode body() {
        var body = JSON.createObjectNode()
                .put("model", "sim-model")
                .put("text", ("part" + random.nextInt(5) + " ").repeat(1 + random.nextInt(MOST_WORDS)))
                .put("expected_output_tokens", random.nextInt(500));
        if (random.nextBoolean()) {
            body.put("session_id", name + "-" + random.nextInt(SESSIONS)).put("session_final", random.nextInt(9) == 0);
        }
        return random.nextBoolean() ? body.put("reservation_id", name + "-r" + ++made) : body;
    }

    private void say(String method, String path) throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_STEP_MS));
        JsonNode unused = answer(request(method, path, JSON.createObjectNode()), "told");
    }

    private JsonNode answer(byte[] request, String what) throws IOException {
        try (var call = WireCall.to(node().api())) {
            call.send(request, request.length);
            int status = call.head();
            String body = call.rest();
            tally.count(status / 100 * 100 == OK ? what : what + " " + status);
            return JSON.readTree(body);
        }
    }

    private LocalNode node() {
        return targets.any(random);
    }

    private static byte[] request(String method, String path, JsonNode body) {
        String text = body.toString();
        String head =
                method + " " + path + " HTTP/1.1\r\nhost: soak\r\ncontent-type: application/json\r\ncontent-length: "
                        + text.length() + "\r\n\r\n";
        return (head + text).getBytes(StandardCharsets.US_ASCII);
    }
}
