package io.kvrouter.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerUrlTest {
    @ParameterizedTest
    @CsvSource({
        "http://w, http://w:80",
        "HTTPS://W.Example/, https://w.example:443",
        "' http://w:8000// ', http://w:8000",
        "http://w:8000/Base/, http://w:8000/Base",
        "http://[::1]:8000, http://[::1]:8000",
    })
    void hasOneFormForAllItsSpellings(String text, String normalised) {
        assertThat(WorkerUrl.normalise(text)).hasToString(normalised);
        assertThat(WorkerUrl.normalise(normalised)).hasToString(normalised);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "w",
                "w:8000",
                "//w",
                "ftp://w",
                "http://",
                "http://w?q",
                "http://w#f",
                "http://w x",
                "http://w:0",
                "http://w:65536",
                "http://w_1"
            })
    void isRefusedWhenNoWorkerCanBeThere(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> WorkerUrl.normalise(text));
    }

    @Test
    void isRefusedWithAKeyInItWithoutQuotingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerUrl.normalise("http://user:secret@w"))
                .withMessageNotContaining("secret");
    }

    @Test
    void givesAWorkerItsIdWhereNoneIsStated() {
        assertThat(WorkerId.ofUrl(WorkerUrl.normalise("http://W:8000/")))
                .isEqualTo(WorkerId.ofUrl(WorkerUrl.normalise("http://w:8000")))
                .hasToString("dfb79c8f8657");
    }
}
