package io.kvrouter.http.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which router this is, as the build wrote it down. */
final class RouterVersion {
    static final String VALUE = read();

    private RouterVersion() {}

    private static String read() {
        try (InputStream text = RouterVersion.class.getResourceAsStream("/kvrouter-version.txt")) {
            if (text == null) {
                throw new IllegalStateException("kvrouter-version.txt is missing from the build");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
