package io.kvrouter.cli.inspect;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Text in columns as wide as their widest cell. */
final class Table {
    private final List<String[]> rows = new ArrayList<>();

    Table(String... heads) {
        rows.add(heads);
    }

    void row(String... cells) {
        rows.add(cells);
    }

    void print(PrintWriter out) {
        for (String[] row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < row.length; column++) {
                line.append(row[column]).repeat(" ", width(column) + 2 - row[column].length());
            }
            out.println(line.toString().stripTrailing());
        }
        out.println();
        out.flush();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }
}
