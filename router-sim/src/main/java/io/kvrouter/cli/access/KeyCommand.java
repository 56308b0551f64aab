package io.kvrouter.cli.access;

import io.kvrouter.access.HolderName;
import io.kvrouter.access.KeyHash;
import io.kvrouter.http.access.KeysText;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a key. It is shown this once: the file of keys gets its hash, from which nobody can make it again. */
@Command(
        name = "key",
        mixinStandardHelpOptions = true,
        description = "Makes a key of a caller or an operator, and shows it once.",
        footer = {
            "",
            "The line is for the file of kvrouter.access.keys-file on every node: it gives NAME one more key.",
            "Rights are written beside it, see docs/access.md."
        })
public final class KeyCommand implements Callable<Integer> {
    /** 256 bits: see {@link KeyHash}. */
    private static final int BYTES = 32;

    /** By which a scanner of repositories knows one that was left there. */
    private static final String PREFIX = "kvr_";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "Whose key: 1 to 64 of A-Z a-z 0-9 . _ -")
    private String name = "";

    @Option(names = "--operator", description = "For the management port, and not for the API.")
    private boolean operator;

    @Override
    public Integer call() {
        try {
            HolderName.require(name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String key = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        var out = spec.commandLine().getOut();
        out.println("key   " + key);
        out.println("line  " + KeysText.entry(operator, name, KeyHash.of(key)));
        out.flush();
        return 0;
    }
}
