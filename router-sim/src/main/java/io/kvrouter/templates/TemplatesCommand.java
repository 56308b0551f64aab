package io.kvrouter.templates;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.tukaani.xz.XZInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Renders recorded cases and says which come out differently. */
@Command(
        name = "templates",
        mixinStandardHelpOptions = true,
        description = {
            "Renders recorded chat templates and compares.",
            "A line of the file is a JSON object: template, context (its variables), and expected (the text) or raises"
                    + " (the exception's class in Python); model and conversation name it."
        },
        footer = {"", "Exit codes: 0 all as recorded, 1 some are not."})
public final class TemplatesCommand implements Callable<Integer> {
    private final ObjectMapper json = new ObjectMapper();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Cases as .jsonl or .jsonl.xz.")
    private Path file = Path.of("");

    @Option(
            names = "--now",
            defaultValue = "2025-07-10T12:00:00",
            description = "What the templates take for the time (default: ${DEFAULT-VALUE}).")
    private LocalDateTime now = LocalDateTime.MIN;

    /** Made by the command line. */
    public TemplatesCommand() {}

    @Override
    public Integer call() throws IOException {
        var clock = Clock.fixed(now.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
        PrintWriter out = spec.commandLine().getOut();
        int failed = 0;
        List<TemplateCase> cases = cases();
        for (TemplateCase each : cases) {
            Optional<String> failure = each.failure(clock);
            if (failure.isPresent()) {
                failed++;
                out.println(each.name() + ": " + failure.get());
            }
        }
        out.println((cases.size() - failed) + " passed, " + failed + " failed");
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    private List<TemplateCase> cases() throws IOException {
        List<TemplateCase> cases = new ArrayList<>();
        try (var lines = new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    cases.add(TemplateCase.of(json.readTree(line), number));
                }
            }
        }
        return cases;
    }

    private InputStream open() throws IOException {
        InputStream bytes = Files.newInputStream(file);
        return file.toString().endsWith(".xz") ? new XZInputStream(bytes) : bytes;
    }
}
