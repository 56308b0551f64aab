package io.kvrouter.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a running cluster as tables, as one of its nodes knows it. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows nodes, workers, load and sessions of a running cluster.")
public final class StatusCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Management host (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--management-port",
            defaultValue = "7626",
            description = "Management port of any node (default: ${DEFAULT-VALUE}).")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        try (var client = new ManagementClient(host, port)) {
            JsonNode members = client.get("/cluster/members");
            JsonNode shards = client.get("/router/shards").path("shards");
            JsonNode workers = client.get("/workers").path("workers");
            JsonNode load = client.get("/router/load").path("total");
            JsonNode bound = client.get("/router/sessions?limit=1").at("/bound/workers");
            nodes(members, shards).print(spec.commandLine().getOut());
            workers(workers, load, bound).print(spec.commandLine().getOut());
            return 0;
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            spec.commandLine().getErr().printf("no node answers at %s:%d (%s)%n", host, port, why);
            return 1;
        }
    }

    private static Table nodes(JsonNode members, JsonNode shards) {
        Map<String, long[]> counts = new TreeMap<>();
        for (JsonNode shard : shards) {
            long[] count = counts.computeIfAbsent(shard.path("node").asText(""), node -> new long[3]);
            count[0]++;
            count[1] += shard.path("actors").asLong();
            count[2] += shard.path("bindings").asLong();
        }
        var table = new Table("NODE", "STATUS", "SHARDS", "SESSION ACTORS", "SESSIONS");
        for (JsonNode member : members.path("members")) {
            String node = member.path("node").asText();
            long[] count = counts.getOrDefault(node, new long[3]);
            table.row(node, member.path("status").asText(), text(count[0]), text(count[1]), text(count[2]));
        }
        return table;
    }

    private static Table workers(JsonNode workers, JsonNode load, JsonNode bound) {
        var table = new Table("WORKER", "URL", "STATE", "REQUESTS", "PREFILL TOKENS", "DECODE BLOCKS", "SESSIONS");
        for (JsonNode worker : workers) {
            String id = worker.path("id").asText();
            table.row(
                    id,
                    worker.path("url").asText(),
                    worker.path("state").asText(),
                    text(sum(load.path(id), "requests")),
                    text(sum(load.path(id), "prefill_tokens")),
                    text(sum(load.path(id), "decode_blocks")),
                    text(bound.path(id).asLong()));
        }
        return table;
    }

    private static long sum(JsonNode ranks, String field) {
        long sum = 0;
        for (JsonNode rank : ranks) {
            sum += rank.path(field).asLong();
        }
        return sum;
    }

    private static String text(long number) {
        return Long.toString(number);
    }
}
