package io.kvrouter.cli.tokens;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks at how a model's prompts become tokens. */
@Command(
        name = "tokens",
        mixinStandardHelpOptions = true,
        description = "Looks at how a model's prompts become tokens.",
        subcommands = TokensCheckCommand.class)
public final class TokensCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "tokens: which one? (expected: check)");
    }
}
