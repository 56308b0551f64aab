package io.kvrouter.cli.bench.options;

import io.kvrouter.bench.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a benchmark's figures go, and what its exit code is. */
public final class ReportOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--json", description = "Writes all figures to this file.")
    private @Nullable Path json;

    /** Tells a line while it runs. */
    public Consumer<String> progress() {
        PrintWriter err = command.commandLine().getErr();
        return line -> {
            err.println(line);
            err.flush();
        };
    }

    /**
     * Tells the report.
     *
     * @param unsound what it means if it is not sound
     * @return the exit code: 0 sound, 1 not
     */
    public int tell(Report report, String unsound) throws IOException {
        PrintWriter out = command.commandLine().getOut();
        out.print(report.text());
        out.flush();
        if (json != null) {
            report.writeJson(json);
        }
        if (!report.sound()) {
            progress().accept(unsound);
        }
        return report.sound() ? 0 : 1;
    }
}
