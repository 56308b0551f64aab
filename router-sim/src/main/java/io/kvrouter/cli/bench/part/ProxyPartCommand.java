package io.kvrouter.cli.bench.part;

import io.kvrouter.bench.proxy.peer.MockEngine;
import io.kvrouter.bench.proxy.peer.PlainRelay;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The engine or the relay of {@code bench proxy} as a process: prints its URL. */
@Command(name = "proxy-part", hidden = true, description = "The engine or the relay of bench proxy.")
public final class ProxyPartCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "1..2", description = "engine; or relay and the engine's URL.")
    private List<String> words = List.of();

    @Option(names = "--until-stdin-closes", hidden = true, description = "Ends when whoever started it is gone.")
    private boolean untilStdinCloses;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (words.getFirst().equals("engine")) {
            try (var engine = MockEngine.start()) {
                serve(engine.url());
            }
        } else {
            int loops = Runtime.getRuntime().availableProcessors();
            try (var relay = PlainRelay.start(URI.create(words.getLast()), loops)) {
                serve(relay.url());
            }
        }
        return 0;
    }

    private void serve(URI url) throws IOException, InterruptedException {
        spec.commandLine().getOut().println(url);
        spec.commandLine().getOut().flush();
        if (untilStdinCloses) {
            System.in.transferTo(OutputStream.nullOutputStream());
        } else {
            new CountDownLatch(1).await();
        }
    }
}
