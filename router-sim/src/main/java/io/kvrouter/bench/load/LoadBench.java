package io.kvrouter.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Runs the nodes of the benchmark as processes, and collects what they report. */
public final class LoadBench implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MARK = "LOAD ";

    private static final String MAIN = "io.kvrouter.cli.Main";

    private final LoadShape shape;
    private final List<Node> nodes = new ArrayList<>();

    private record Node(Process process, BufferedReader lines, Writer orders) {
        JsonNode hear() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    return JSON.readTree(line.substring(MARK.length()));
                }
            }
            throw new IllegalStateException("a node of the benchmark ended (expected: a report)");
        }

        void tell(String order) {
            try {
                orders.write(order + "\n");
                orders.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private LoadBench(LoadShape shape) {
        this.shape = shape;
    }

    /** Measures. */
    public static LoadReport run(LoadShape shape) throws IOException {
        try (var bench = new LoadBench(shape)) {
            for (int i = 0; i < shape.nodes(); i++) {
                bench.nodes.add(bench.start());
            }
            return bench.measure();
        }
    }

    private Node start() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(MAIN, "bench", "load-node"));
        LongStream.of(
                        shape.nodes(),
                        shape.workers(),
                        shape.rate(),
                        shape.warmup().toMillis(),
                        shape.measured().toMillis(),
                        shape.lasting().toMillis())
                .forEach(number -> command.add(Long.toString(number)));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Node(process, process.inputReader(), process.outputWriter());
    }

    private LoadReport measure() throws IOException {
        String first = hearAll().getFirst().path("address").asText();
        tellAll(first);
        hearAll();
        tellAll("book");
        List<JsonNode> reports = hearAll();
        tellAll("end");
        hearAll();
        tellAll("stop");
        return LoadReport.of(shape, reports);
    }

    private List<JsonNode> hearAll() throws IOException {
        List<JsonNode> heard = new ArrayList<>();
        for (Node node : nodes) {
            heard.add(node.hear());
        }
        return heard;
    }

    private void tellAll(String order) {
        nodes.forEach(node -> node.tell(order));
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.process.destroyForcibly());
    }
}
