package io.kvrouter.http.tls;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Faces of a test, made of files without settings. */
public final class TestFaces {
    private TestFaces() {}

    /** A server's. */
    public static FaceTls server(Path certificate, Path key, Optional<Path> ca) {
        var files = new TlsFiles("test", Optional.of(certificate), Optional.of(key), ca);
        return FaceTls.open(files, Clock.systemUTC()).orElseThrow();
    }
}
