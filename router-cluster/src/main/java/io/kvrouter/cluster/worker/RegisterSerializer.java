package io.kvrouter.cluster.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Writes register entries as CBOR with field names. The manifest is a format name, never a class name, so that classes
 * may move; fields that are added later are Optional and empty when absent.
 */
public final class RegisterSerializer extends SerializerWithStringManifest {
    private static final int IDENTIFIER = 761_003;
    private static final String ENTRY = "E1";
    private static final ObjectMapper CBOR = CBORMapper.builder()
            .addModule(new Jdk8Module())
            .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, null))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object value) {
        return ENTRY;
    }

    @Override
    public byte[] toBinary(Object value) {
        try {
            return CBOR.writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        if (!manifest.equals(ENTRY)) {
            throw new NotSerializableException("worker register: manifest \"" + manifest + "\" (expected: E1)");
        }
        try {
            return CBOR.readValue(bytes, RegisterEntry.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
