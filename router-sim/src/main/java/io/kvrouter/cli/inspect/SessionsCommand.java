package io.kvrouter.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists bound sessions by their keys: a router does not know ids. */
@Command(
        name = "sessions",
        mixinStandardHelpOptions = true,
        description = "Lists the bound sessions of a running cluster, page by page.")
public final class SessionsCommand implements Callable<Integer> {

    @Mixin
    private final AskedNode node = new AskedNode();

    @Option(names = "--worker", description = "Only those of one worker.")
    private String worker = "";

    @Option(names = "--after", description = "The key that the page before ended with.")
    private String after = "";

    @Option(names = "--limit", defaultValue = "100", description = "1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public Integer call() throws InterruptedException {
        return node.ask("can't list sessions", (client, out) -> print(client.get(path()), out));
    }

    private String path() {
        return "/router/sessions?limit=" + limit + parameter("worker", worker) + parameter("after", after);
    }

    private static String parameter(String name, String value) {
        return value.isEmpty() ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static void print(JsonNode page, PrintWriter out) {
        var table = new Table("KEY", "WORKER", "RANK", "BOUND FOR", "FORGOTTEN AT", "SHARD");
        for (JsonNode session : page.path("sessions")) {
            table.row(
                    session.path("key").asText(),
                    session.path("worker").asText(),
                    session.path("rank").asText(),
                    Duration.ofSeconds(session.path("age_ms").asLong() / 1_000)
                            .toString()
                            .substring("PT".length())
                            .toLowerCase(Locale.ROOT),
                    session.path("deadline").asText(),
                    session.path("shard").asText());
        }
        table.print(out);
        JsonNode next = page.path("next");
        out.println("sessions in all: " + page.at("/bound/total").asLong()
                + (next.isNull() ? "" : "; the next page: --after " + next.asText()));
        out.flush();
    }
}
