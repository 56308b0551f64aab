package io.kvrouter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.access.KeysText;
import org.junit.jupiter.api.Test;

class KeyCommandTest {
    private final Shell shell = new Shell();

    private String value(String name) {
        return value(shell, name);
    }

    private static String value(Shell from, String name) {
        return from.out()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itsLineMakesItsKeyTheCallers() {
        assertThat(shell.run("key", "team.a")).isZero();

        var keys = KeysText.parse(value("line"));

        assertThat(keys.callers().holder(value("key")).orElseThrow().name()).isEqualTo("team.a");
        assertThat(value("line")).doesNotContain(value("key"));
    }

    @Test
    void oneMoreLineIsOneMoreKey() {
        shell.run("key", "a");
        String first = value("line");
        String key = value("key");
        Shell another = new Shell();
        another.run("key", "a");

        var keys = KeysText.parse(first + "\n" + value(another, "line"));

        assertThat(keys.callers().holder(key)).isPresent();
        assertThat(keys.callers().holder(value("key"))).isPresent();
    }

    @Test
    void anOperatorsKeyIsForTheOtherPort() {
        shell.run("key", "--operator", "ops");

        var keys = KeysText.parse(value("line"));

        assertThat(keys.operators().holder(value("key"))).isPresent();
        assertThat(keys.callers().holder(value("key"))).isEmpty();
    }

    @Test
    void aNameThatCantBeOneIsRefused() {
        assertThat(shell.run("key", "a b")).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
    }
}
