package io.kvrouter.http.tls;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** Faces of a test, made of files without settings. */
public final class TestFaces {
    private TestFaces() {}

    /** Makes a server's side of connections. */
    public static Supplier<SSLEngine> server(Path certificate, Path key, Optional<Path> ca) {
        var files = new TlsFiles("test", Optional.of(certificate), Optional.of(key), ca);
        FaceTls face = FaceTls.open(files, Clock.systemUTC()).orElseThrow();
        return face::serverEngine;
    }
}
