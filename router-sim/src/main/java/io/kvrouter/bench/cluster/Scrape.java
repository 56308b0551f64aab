package io.kvrouter.bench.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node's metrics at one moment, read from Prometheus' text format. */
public final class Scrape {
    /** Of a node that has not started, or is gone. */
    public static final Scrape NONE = new Scrape(Map.of());

    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");

    private final Map<String, Double> series;

    private Scrape(Map<String, Double> series) {
        this.series = series;
    }

    public static Scrape of(String text) {
        Map<String, Double> series = new HashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int end = line.lastIndexOf(' ');
            if (end > 0) {
                series.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
            }
        });
        return new Scrape(series);
    }

    /** A series by its name with labels, as it is written; 0 if there is none. */
    public double value(String name) {
        return series.getOrDefault(name, 0.0);
    }

    /** All series, as they are written: names with labels. */
    public Set<String> names() {
        return series.keySet();
    }

    /** The sum of all series of a name. */
    public double sum(String name) {
        return series.entrySet().stream()
                .filter(entry -> entry.getKey().equals(name) || entry.getKey().startsWith(name + "{"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** A histogram, over all series that have this label written so; all of them if it is empty. */
    public Buckets histogram(String name, String label) {
        SortedMap<Double, Long> cumulative = new TreeMap<>();
        series.forEach((key, value) -> {
            Matcher bound = BOUND.matcher(key);
            if (key.startsWith(name + "_bucket{") && key.contains(label) && bound.find()) {
                cumulative.merge(bound(bound.group(1)), value.longValue(), Long::sum);
            }
        });
        return Buckets.ofCumulative(cumulative);
    }

    private static double bound(String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }
}
