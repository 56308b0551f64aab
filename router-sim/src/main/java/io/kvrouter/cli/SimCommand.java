package io.kvrouter.cli;

import io.kvrouter.http.tokenizer.SegmentCache;
import io.kvrouter.http.tokens.ModelTokens;
import io.kvrouter.sim.engine.EngineSettings;
import io.kvrouter.sim.kv.KvEventSettings;
import io.kvrouter.sim.server.SimSettings;
import io.kvrouter.sim.server.SimulatedFleet;
import io.kvrouter.sim.server.SimulatedWorker;
import io.kvrouter.sim.tokens.FileTokens;
import io.kvrouter.sim.tokens.WorkerTokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs simulated workers until stopped: prints the URL of each, one a line. */
@Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        description = "Runs simulated workers: vLLM's API, a simulated engine behind it.")
public final class SimCommand implements Callable<Integer> {
    private static final int PORT_IN_USE = 1;
    private static final long CACHE_BYTES = 64L << 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--count", defaultValue = "3", description = "Number of workers (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--port",
            defaultValue = "31000",
            description = "Port of the first, the others follow; 0 for free ones (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(names = "--model", defaultValue = "sim-model", description = "Served name (default: ${DEFAULT-VALUE}).")
    private String model = "";

    @Option(names = "--speedup", defaultValue = "1", description = "Divides all times (default: ${DEFAULT-VALUE}).")
    private double speedup;

    @Option(
            names = "--slow",
            defaultValue = "1",
            description = "Divides the prefill speed of about 48,000 tokens/s (default: ${DEFAULT-VALUE}).")
    private double slow;

    @Option(names = "--kv-blocks", defaultValue = "16384", description = "KV blocks (default: ${DEFAULT-VALUE}).")
    private int kvBlocks;

    @Option(names = "--block-size", defaultValue = "64", description = "Tokens a block (default: ${DEFAULT-VALUE}).")
    private int blockSize;

    @Option(
            names = "--ranks",
            defaultValue = "1",
            description = "Data-parallel ranks of each, an engine each (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--kv-events",
            paramLabel = "PORT",
            description = "Publish KV events on ports from this one on, two a rank: each worker's event ports, then its"
                    + " replay ports; 0 for free ones. GET /sim/state tells them (default: no events).")
    private @Nullable Integer kvEvents;

    @Option(
            names = "--kv-events-form",
            defaultValue = "ARRAY",
            description = "How events are written: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private KvEventSettings.Form kvEventsForm = KvEventSettings.Form.ARRAY;

    @Option(
            names = "--model-dir",
            paramLabel = "DIR",
            description =
                    "A model's tokenizer.json and chat template: prompts get its tokens (default: four bytes make a"
                            + " token).")
    private @Nullable Path modelDirectory;

    @Option(names = "--no-tokenize", description = "Without POST /tokenize, as engines that have none.")
    private boolean noTokenize;

    @Option(names = "--until-stdin-closes", hidden = true, description = "Stops when whoever started it is gone.")
    private boolean untilStdinCloses;

    @Override
    public Integer call() {
        if (modelDirectory == null) {
            return run(WorkerTokens.SIMULATED);
        }
        try (var model =
                ModelTokens.load(modelDirectory, new SegmentCache(CACHE_BYTES), Clock.system(ZoneId.systemDefault()))) {
            return run(new FileTokens(model));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--model-dir: " + e.getMessage(), e);
        }
    }

    private Integer run(WorkerTokens tokens) {
        PrintWriter out = spec.commandLine().getOut();
        try (SimulatedFleet fleet = start(tokens)) {
            if (noTokenize) {
                fleet.workers().forEach(SimulatedWorker::withoutTokenize);
            }
            fleet.urls().forEach(out::println);
            out.flush();
            var stopped = new CountDownLatch(1);
            if (untilStdinCloses) {
                Thread.ofPlatform().daemon().name("stdin").start(() -> awaitEnd(System.in, stopped));
            }
            stopped.await();
            return 0;
        } catch (UncheckedIOException e) {
            spec.commandLine().getErr().println("sim: " + e.getMessage());
            return PORT_IN_USE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static void awaitEnd(InputStream in, CountDownLatch stopped) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the same as its end
        }
        stopped.countDown();
    }

    private SimulatedFleet start(WorkerTokens tokens) {
        try {
            var engine = EngineSettings.DEFAULT.withPool(kvBlocks, blockSize).withSpeed(slow, speedup);
            var settings = SimSettings.DEFAULT
                    .withHost(host)
                    .withModels(model)
                    .withTokens(tokens)
                    .withEngine(engine)
                    .withRanks(ranks);
            if (kvEvents == null) {
                return SimulatedFleet.start(count, port, settings);
            }
            var events = KvEventSettings.DEFAULT.withFirstPort(kvEvents).withForm(kvEventsForm);
            return SimulatedFleet.start(count, port, settings.withKvEvents(events));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
