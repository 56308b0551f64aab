package io.kvrouter.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void numbersComeBack(long number) {
        var out = new WireOutput(1).putVar(number).putLong(number);

        var in = new WireInput(out.toBytes());

        assertThat(in.getVar()).isEqualTo(number);
        assertThat(in.getLong()).isEqualTo(number);
    }

    @Test
    void textComesBack() {
        var out = new WireOutput(0).putText("").putText("grüße");

        var in = new WireInput(out.toBytes());

        assertThat(in.getText()).isEmpty();
        assertThat(in.getText()).isEqualTo("grüße");
    }

    @Test
    void aCountBeyondTheBytesThatAreLeftIsRefused() {
        var in = new WireInput(new WireOutput(8).putVar(1_000_000).toBytes());

        assertThatThrownBy(in::getCount).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNumberThatNeverEndsIsRefused() {
        var out = new WireOutput(16);
        for (int i = 0; i < 12; i++) {
            out.putByte(0xFF);
        }

        assertThatThrownBy(() -> new WireInput(out.toBytes()).getVar()).isInstanceOf(IllegalArgumentException.class);
    }
}
