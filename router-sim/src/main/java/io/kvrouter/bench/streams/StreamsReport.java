package io.kvrouter.bench.streams;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.bench.Report;
import io.kvrouter.bench.proxy.peer.Event;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What a {@link StreamsBench} found.
 *
 * @param empty the node before all
 * @param idle with all idle streams open
 * @param failed idle streams that ended
 * @param between when they are over
 * @param stalled with readers that do not read, when nothing moves any more
 * @param sentEvents what their engine could send until then
 */
public record StreamsReport(
        StreamsPlan plan,
        Footprint empty,
        Footprint idle,
        int failed,
        Footprint between,
        Footprint stalled,
        long sentEvents)
        implements Report {
    /** What is said of the figures. */
    public static final String LEGEND = """
            Heap: live objects of the node after a full collection. Resident: of its
            process, which gives memory back late or never. Sent: what the engine could
            write until nothing moved any more; all but what the node's heap has grown
            by lies in the kernel's buffers of the four sockets on the way.
            """;

    private static final double MB = 1 << 20;
    private static final double KB = 1 << 10;

    /** Whether all idle streams were held, and the slow readers held their engine up. */
    @Override
    public boolean sound() {
        return failed == 0
                && idle.requests() == plan.idle()
                && stalled.requests() == plan.slow()
                && sentEvents < (long) SlowReaders.EVENTS * plan.slow();
    }

    @Override
    public String text() {
        double grown = idle.heapMb() - empty.heapMb();
        return "%n%-28s %9s %12s %8s %8s %9s%n".formatted("", "heap MB", "resident MB", "threads", "files", "requests")
                + line("an empty node", empty)
                + line(plan.idle() + " idle streams", idle)
                + line("none again", between)
                + line(plan.slow() + " readers that do not read", stalled)
                + "%nan idle stream: %.1f KB of heap, %d threads in all more%n"
                        .formatted(grown * MB / KB / plan.idle(), idle.threads() - empty.threads())
                + "a reader that does not read: %.0f KB of heap; %.1f MB sent by its engine%n"
                        .formatted(
                                (stalled.heapMb() - between.heapMb()) * MB / KB / plan.slow(),
                                sentEvents * (double) Event.BYTES / MB / plan.slow())
                + LEGEND;
    }

    private static String line(String name, Footprint of) {
        return "%-28s %9.1f %12.0f %8d %8d %9d%n"
                .formatted(name, of.heapMb(), of.residentMb(), of.threads(), of.files(), of.requests());
    }

    @Override
    public void writeJson(Path file) throws IOException {
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), this);
    }
}
