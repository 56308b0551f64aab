package io.kvrouter.http.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.SummaryWithCallback;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the node's process takes: memory, processor, garbage collection, files and threads. By the usual names. */
public final class ProcessMetrics implements MultiCollector {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final int KIB = 1024;

    private final GaugeWithCallback used = heap("jvm_memory_used_bytes", "Memory in use.", MemoryUsage::getUsed);
    private final GaugeWithCallback most =
            heap("jvm_memory_max_bytes", "Memory that may be used at most.", MemoryUsage::getMax);
    private final GaugeWithCallback resident = GaugeWithCallback.builder()
            .name("process_resident_memory_bytes")
            .help("Memory of the process that is resident; only where the system tells.")
            .callback(out -> resident(out))
            .build();
    private final CounterWithCallback processor = CounterWithCallback.builder()
            .name("process_cpu_seconds_total")
            .help("Processor time of all threads.")
            .callback(out -> processor(out))
            .build();
    private final GaugeWithCallback files = GaugeWithCallback.builder()
            .name("process_open_fds")
            .help("Open files and connections of the process; only where the system tells.")
            .callback(out -> files(out))
            .build();
    private final GaugeWithCallback threads = GaugeWithCallback.builder()
            .name("jvm_threads_current")
            .help("Platform threads.")
            .callback(out -> out.call(ManagementFactory.getThreadMXBean().getThreadCount()))
            .build();
    private final SummaryWithCallback collections = SummaryWithCallback.builder()
            .name("jvm_gc_collection_seconds")
            .help("Time of garbage collection, by collector.")
            .labelNames("gc")
            .callback(out -> ManagementFactory.getGarbageCollectorMXBeans()
                    .forEach(gc -> out.call(
                            Math.max(0, gc.getCollectionCount()),
                            Math.max(0, gc.getCollectionTime()) / MILLIS,
                            Quantiles.EMPTY,
                            gc.getName())))
            .build();

    private static GaugeWithCallback heap(String name, String help, ToLongFunction<MemoryUsage> value) {
        return GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("area")
                .callback(out -> {
                    var memory = ManagementFactory.getMemoryMXBean();
                    out.call((double) value.applyAsLong(memory.getHeapMemoryUsage()), "heap");
                    out.call((double) value.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap");
                })
                .build();
    }

    private static void resident(GaugeWithCallback.Callback out) {
        try {
            Matcher line = RESIDENT.matcher(Files.readString(STATUS));
            if (line.find()) {
                out.call((double) Long.parseLong(line.group(1)) * KIB);
            }
        } catch (IOException e) {
            // a system without it: the metric has no value
        }
    }

    private static void processor(CounterWithCallback.Callback out) {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        if (system != null) {
            out.call(Math.max(0, system.getProcessCpuTime()) / NANOS);
        }
    }

    private static void files(GaugeWithCallback.Callback out) {
        var system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        if (system != null) {
            out.call((double) system.getOpenFileDescriptorCount());
        }
    }

    @Override
    public MetricSnapshots collect() {
        return MetricSnapshots.of(
                used.collect(),
                most.collect(),
                resident.collect(),
                processor.collect(),
                files.collect(),
                threads.collect(),
                collections.collect());
    }
}
