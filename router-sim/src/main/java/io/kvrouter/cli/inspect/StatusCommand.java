package io.kvrouter.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows a running cluster as tables, as one of its nodes knows it. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows nodes, workers, load and sessions of a running cluster.")
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private final AskedNode node = new AskedNode();

    @Override
    public Integer call() throws InterruptedException {
        return node.ask("can't show the cluster", StatusCommand::print);
    }

    private static void print(ManagementClient client, PrintWriter out) throws IOException, InterruptedException {
        JsonNode members = client.get("/cluster/members");
        JsonNode shards = client.get("/router/shards").path("shards");
        JsonNode workers = client.get("/workers").path("workers");
        JsonNode load = client.get("/router/load").path("total");
        JsonNode bound = client.get("/router/sessions?limit=1").at("/bound/workers");
        nodes(members, shards).print(out);
        workers(workers, load, bound).print(out);
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
