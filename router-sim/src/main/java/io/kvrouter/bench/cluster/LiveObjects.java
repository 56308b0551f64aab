package io.kvrouter.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many objects of which class live in a node, after a garbage collection: what metrics of its own can't hide. */
public final class LiveObjects {
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+).*");

    private final Map<String, Long> counts;

    private LiveObjects(Map<String, Long> counts) {
        this.counts = counts;
    }

    /** Of a node, which collects all of its garbage for it. */
    public static LiveObjects of(LocalNode node) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(jcmd, Long.toString(node.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        Map<String, Long> counts = new HashMap<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LINE.matcher(line);
                if (matcher.matches()) {
                    counts.merge(matcher.group(2), Long.valueOf(matcher.group(1)), Long::sum);
                }
            }
        }
        return new LiveObjects(counts);
    }

    /** Of a class, by its name. */
    public long count(String type) {
        return counts.getOrDefault(type, 0L);
    }
}
