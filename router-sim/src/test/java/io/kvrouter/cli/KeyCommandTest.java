package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.access.KeysText;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class KeyCommandTest {
    private final StringWriter out = new StringWriter();

    private String value(String name) {
        return out.toString()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(new StringWriter(), true))
                .execute(args);
    }

    @Test
    void itsLineMakesItsKeyTheCallers() {
        assertThat(run("key", "team.a")).isZero();

        var keys = KeysText.parse(value("line"));

        assertThat(keys.callers().holder(value("key")).orElseThrow().name()).isEqualTo("team.a");
        assertThat(value("line")).doesNotContain(value("key"));
    }

    @Test
    void oneMoreLineIsOneMoreKey() {
        run("key", "a");
        String first = value("line");
        String key = value("key");
        out.getBuffer().setLength(0);
        run("key", "a");

        var keys = KeysText.parse(first + "\n" + value("line"));

        assertThat(keys.callers().holder(key)).isPresent();
        assertThat(keys.callers().holder(value("key"))).isPresent();
    }

    @Test
    void anOperatorsKeyIsForTheOtherPort() {
        run("key", "--operator", "ops");

        var keys = KeysText.parse(value("line"));

        assertThat(keys.operators().holder(value("key"))).isPresent();
        assertThat(keys.callers().holder(value("key"))).isEmpty();
    }

    @Test
    void aNameThatCantBeOneIsRefused() {
        assertThat(run("key", "a b")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
    }
}
