package io.kvrouter.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/** Runs a command as a shell would, and keeps what it says. */
final class Shell {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final String[] command;

    /** For a command with so much before the arguments of each run. */
    Shell(String... command) {
        this.command = command.clone();
    }

    /** Its exit code. */
    int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
