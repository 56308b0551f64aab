package io.kvrouter.bench.faults;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds: its open files, and of what belongs to requests and connections the objects that are left after
 * a collection.
 *
 * @param files open file descriptors; 0 where the system does not tell
 * @param objects instances by class
 */
record Remains(long files, Map<String, Long> objects) {
    private static final Map<String, String> WATCHED = Map.of(
            "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter", "stream actors",
            "io.kvrouter.http.upstream.netty.NettyCall", "calls",
            "io.kvrouter.http.upstream.netty.WorkerConnection", "worker connections",
            "io.kvrouter.http.turn.RunningTurn", "turns",
            "io.kvrouter.cluster.session.SessionActor", "session actors");

    /** Counts them now; collects garbage for it. */
    static Remains now() {
        Map<String, Long> found = new TreeMap<>();
        WATCHED.values().forEach(name -> found.put(name, 0L));
        for (String line : histogram().lines().toList()) {
            String[] columns = line.strip().split("\\s+", -1);
            String name = columns.length < 4 ? null : WATCHED.get(columns[3]);
            if (name != null) {
                found.put(name, Long.parseLong(columns[1]));
            }
        }
        return new Remains(openFiles(), found);
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String histogram() {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return String.valueOf(text);
        } catch (JMException e) {
            throw new IllegalStateException("no histogram of this JVM's classes", e);
        }
    }

    /** What there is more of than before, but for so many that come and go with health checks and scrapes. */
    Map<String, Long> beyond(Remains before, int slack) {
        Map<String, Long> more = new TreeMap<>();
        if (files > before.files + slack) {
            more.put("open files", files - before.files);
        }
        objects.forEach((name, count) -> {
            long extra = count - before.objects.getOrDefault(name, 0L);
            if (extra > slack) {
                more.put(name, extra);
            }
        });
        return more;
    }
}
