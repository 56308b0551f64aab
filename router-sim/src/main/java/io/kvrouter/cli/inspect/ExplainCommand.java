package io.kvrouter.cli.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows where a request would go, and why, without sending it. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Shows where a completion request would go, and why. Sends and books nothing.")
public final class ExplainCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final AskedNode node = new AskedNode();

    @Option(names = "--session", description = "Session id, as x-session-id says it.")
    private String session = "";

    @Option(
            names = "--header",
            description = "A header of the request as name=value, as x-router-group=blue; may be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Parameters(paramLabel = "FILE", description = "The request's JSON body; - reads it from standard input.")
    private String file = "-";

    @Override
    public Integer call() throws InterruptedException {
        if (!session.isEmpty()) {
            headers.put("x-session-id", session);
        }
        byte[] body = body();
        return node.ask("can't explain", (client, out) -> print(client.post("/router/explain", body, headers), out));
    }

    private byte[] body() {
        try {
            return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new ParameterException(spec.commandLine(), file + ": no such file", e);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), file + ": can't be read: " + e.getMessage(), e);
        }
    }

    private static void print(JsonNode explained, PrintWriter out) {
        JsonNode prompt = explained.path("prompt");
        out.printf(
                "model %s, group %s: %d tokens, %s%n",
                explained.path("model").asText(),
                explained.path("group").asText(),
                prompt.path("tokens").asLong(),
                prompt.path("exact").asBoolean() ? "as the engine counts them" : "by the length of the text");
        JsonNode session = explained.path("session");
        if (session.isObject()) {
            out.printf(
                    "session on worker %s rank %d, %s%n",
                    session.path("worker").asText(),
                    session.path("rank").asInt(),
                    session.path("follows").asBoolean() ? "which it follows" : "which is not eligible");
        }
        out.printf("policy %s, cost factors %s%n%n", explained.path("policy").asText(), explained.path("cost"));
        candidates(explained.path("candidates")).print(out);
        JsonNode choice = explained.path("choice");
        out.println(
                choice.has("refused")
                        ? "refused: " + choice.path("refused").asText()
                        : "choice: " + choice.path("worker").asText() + " rank "
                                + choice.path("rank").asInt() + ", "
                                + choice.path("decision").asText());
        out.flush();
    }

    private static Table candidates(JsonNode candidates) {
        var table = new Table(
                "WORKER",
                "RANK",
                "BLOCKS",
                "ON DEVICE",
                "HOST",
                "DISK",
                "NEW",
                "REQUESTS",
                "PREFILL TOKENS",
                "DECODE BLOCKS",
                "BUSY",
                "COST");
        candidates.forEach(candidate -> table.row(cells(candidate)));
        return table;
    }

    private static String[] cells(JsonNode candidate) {
        JsonNode overlap = candidate.path("overlap_blocks");
        JsonNode load = candidate.path("load");
        return new String[] {
            candidate.path("worker").asText(),
            candidate.path("rank").asText(),
            candidate.path("prompt_blocks").asText(),
            overlap.path("device").asText(),
            overlap.path("host").asText(),
            overlap.path("disk").asText(),
            candidate.path("new_blocks").asText(),
            load.path("requests").asText(),
            load.path("prefill_tokens").asText(),
            load.path("decode_blocks").asText(),
            candidate.path("busy").asBoolean() ? "yes" : "no",
            String.format(Locale.ROOT, "%.2f", candidate.path("cost").asDouble())
        };
    }
}
