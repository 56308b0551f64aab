package io.kvrouter.cli.inspect;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The node that a command asks, at its management port. */
final class AskedNode {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Management host (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--management-port",
            defaultValue = "7626",
            description = "Management port of any node (default: ${DEFAULT-VALUE}).")
    private int port;

    /** What a command wants to know, and how it prints that. */
    @FunctionalInterface
    interface Question {
        void ask(ManagementClient node, PrintWriter out) throws IOException, InterruptedException;
    }

    /**
     * Asks it; answers the command's exit code.
     *
     * @param otherwise what to say when there is no answer
     */
    int ask(String otherwise, Question question) throws InterruptedException {
        try (var client = new ManagementClient(host, port)) {
            question.ask(client, command.commandLine().getOut());
            return 0;
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            command.commandLine().getErr().printf("%s, asking %s:%d: %s%n", otherwise, host, port, why);
            return 1;
        }
    }
}
