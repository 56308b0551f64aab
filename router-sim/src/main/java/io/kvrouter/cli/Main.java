package io.kvrouter.cli;

import com.typesafe.config.ConfigException;
import io.kvrouter.cli.access.KeyCommand;
import io.kvrouter.cli.bench.BenchCommand;
import io.kvrouter.cli.inspect.ExplainCommand;
import io.kvrouter.cli.inspect.SessionsCommand;
import io.kvrouter.cli.inspect.StatusCommand;
import io.kvrouter.cli.tokens.TokensCommand;
import io.kvrouter.http.openai.Cause;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.templates.TemplatesCommand;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code ./router}. */
@Command(
        name = "router",
        mixinStandardHelpOptions = true,
        version = "kv-router 0.1.0-SNAPSHOT",
        description = "A router for LLM inference that runs as a Pekko cluster.",
        subcommands = {
            BenchCommand.class,
            DemoCommand.class,
            ExplainCommand.class,
            KeyCommand.class,
            NodeCommand.class,
            SessionsCommand.class,
            SimCommand.class,
            StatusCommand.class,
            TemplatesCommand.class,
            TokensCommand.class
        },
        footer = {
            "",
            "Also: ./router test (every check and test), ./router format (formats the code),",
            "./router dist (packs the product for hosts without sources), ./router guards (proves the build's guards),",
            "./router clients (JavaScript clients of others against a cluster)."
        })
public final class Main {
    private static final int BAD_SETTING = 2;

    private Main() {}

    /** Runs a command; a bad setting is one line on standard error, and exit code 2. */
    public static void main(String[] args) {
        LoggerFactory.getILoggerFactory(); // before threads: SLF4J warns of loggers that are asked for while it starts
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        var line = new CommandLine(new Main());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            Throwable cause = Cause.of(failure);
            boolean setting = cause instanceof SettingException || cause instanceof ConfigException;
            command.getErr().println(setting ? cause.getMessage() : cause.toString());
            return setting ? BAD_SETTING : 1;
        });
        line.setParameterExceptionHandler((wrong, arguments) -> misused(wrong));
        return line;
    }

    /** Without the usage, which would scroll away what was wrong. */
    private static int misused(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        command.getErr().println(wrong.getMessage());
        var unused = UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
        command.getErr().println("see ./" + command.getCommandSpec().qualifiedName() + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
