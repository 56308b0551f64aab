package io.kvrouter.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.tukaani.xz.XZInputStream;

/**
 * Recorded sessions of a file, one JSON object a line: {@code requests} of {@code in} and {@code out} tokens, {@code
 * hash_ids} as runs of [first, count] over blocks of 64 tokens, {@code think_time} in s. Sessions whose first five
 * requests have equal lengths are the same one. What sub-agents asked is nested ({@code "type": "subagent"}): it runs
 * between the turns around it, and is left out behind the last one.
 */
public final class RecordedSessions implements SessionSource {
    private static final int TOLD_APART_BY = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final List<List<SessionTurn>> sessions;

    private RecordedSessions(String name, List<List<SessionTurn>> sessions) {
        this.name = name;
        this.sessions = sessions;
    }

    /** Reads all of a file, compressed if its name ends in {@code .xz}. */
    public static RecordedSessions read(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".xz") ? new XZInputStream(bytes) : bytes;
                var lines = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            var sessions = read(lines);
            if (sessions.isEmpty()) {
                throw new IOException(file + ": no sessions (expected: a JSON object with requests on each line)");
            }
            return new RecordedSessions(String.valueOf(file.getFileName()), sessions);
        }
    }

    private static List<List<SessionTurn>> read(BufferedReader lines) throws IOException {
        List<List<SessionTurn>> sessions = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<SessionTurn> turns = turns(JSON.readTree(line).path("requests"));
            if (!turns.isEmpty() && known.add(beginning(turns))) {
                sessions.add(List.copyOf(turns));
            }
        }
        return sessions;
    }

    private static List<SessionTurn> turns(JsonNode requests) throws IOException {
        List<SessionTurn> turns = new ArrayList<>();
        List<List<SessionTurn>> agents = new ArrayList<>();
        for (JsonNode request : requests) {
            if (request.path("type").asText().equals("subagent")) {
                agents.add(turns(request.path("requests")));
            } else if (request.path("in").asInt() > 0) {
                turns.add(turn(request, agents));
                agents.clear();
            }
        }
        return turns;
    }

    private static SessionTurn turn(JsonNode request, List<List<SessionTurn>> agents) throws IOException {
        List<BlockRun> blocks = new ArrayList<>();
        for (JsonNode run : request.path("hash_ids")) {
            if (run.size() != 2) {
                throw new IOException("hash_ids: not runs of [first, count]");
            }
            blocks.add(new BlockRun(run.path(0).asInt(), run.path(1).asInt()));
        }
        return new SessionTurn(
                blocks,
                request.path("in").asInt(),
                Math.max(1, request.path("out").asInt()),
                Math.max(0, request.path("think_time").asDouble()),
                agents);
    }

    private static String beginning(List<SessionTurn> turns) {
        var lengths = new StringBuilder();
        turns.stream()
                .limit(TOLD_APART_BY)
                .forEach(turn -> lengths.append(turn.promptTokens())
                        .append('/')
                        .append(turn.outputTokens())
                        .append(' '));
        return lengths.toString();
    }

    @Override
    public String title() {
        long agents = sessions.stream()
                .flatMap(List::stream)
                .mapToLong(turn -> turn.agents().size())
                .sum();
        return "recorded sessions of " + name + " (" + count() + ", with " + agents + " runs of sub-agents)";
    }

    /** How many different ones there are. */
    public int count() {
        return sessions.size();
    }

    @Override
    public Session next(RandomGenerator random) {
        List<SessionTurn> turns = sessions.get(random.nextInt(sessions.size()));
        return new Session(turns.size(), turns.iterator());
    }
}
