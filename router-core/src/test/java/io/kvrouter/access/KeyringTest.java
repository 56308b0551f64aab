package io.kvrouter.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyringTest {
    private final Keyring<String> ring = new Keyring<>(List.of(
            new Keyring.Entry<>(KeyHash.of("old"), "a"),
            new Keyring.Entry<>(KeyHash.of("new"), "a"),
            new Keyring.Entry<>(KeyHash.of("other"), "b")));

    @Test
    void knowsTheHolderOfEachKey() {
        assertThat(ring.holder("old")).hasValue("a");
        assertThat(ring.holder("new")).hasValue("a");
        assertThat(ring.holder("other")).hasValue("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ol", "oldd", "OLD", "sha256:"})
    void knowsNobodyByAnythingElse(String key) {
        assertThat(ring.holder(key)).isEmpty();
        assertThat(Keyring.empty().holder(key)).isEmpty();
    }

    @Test
    void theHashOfAKeyIsNoKey() {
        assertThat(ring.holder(KeyHash.of("old").text())).isEmpty();
    }

    @Test
    void aKeyHasOneHolder() {
        var twice = List.of(new Keyring.Entry<>(KeyHash.of("k"), "a"), new Keyring.Entry<>(KeyHash.of("k"), "b"));

        assertThatIllegalArgumentException().isThrownBy(() -> new Keyring<>(twice));
    }

    @Test
    void aHashIsReadAsItIsWritten() {
        assertThat(KeyHash.parse(KeyHash.of("k").text()).matches(KeyHash.of("k")))
                .isTrue();
        assertThat(KeyHash.of("abc").text())
                .isEqualTo("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void aKeyInThePlaceOfItsHashIsRefusedAndNotRepeated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyHash.parse("kvr_secret"))
                .withMessageNotContaining("secret");
    }
}
