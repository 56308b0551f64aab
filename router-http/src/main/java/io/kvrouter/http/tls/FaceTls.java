package io.kvrouter.http.tls;

import io.kvrouter.http.file.WatchedFiles;
import io.kvrouter.http.settings.SettingException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * TLS of one face of a node, as its files say now. Whoever makes connections holds {@link #context()}, whose engines are
 * made of the files' last good state: connections that stand keep what they began with.
 *
 * <p>Each state has a context of its own, so that no session of an old one is resumed under a new one, whose roots may
 * not know the other side any more.
 */
final class FaceTls {
    private final WatchedFiles<TlsTexts, TlsTexts.Made> files;
    private final boolean clientsShowTheirs;
    private final SSLContext context;

    private FaceTls(TlsFiles files, Clock clock) {
        this.files = WatchedFiles.open(files.section(), files::read, texts -> texts.made(clock.instant()));
        this.clientsShowTheirs = files.ca().isPresent();
        this.context = new CurrentContext(() -> this.files.get().context());
    }

    /** Reads the files; empty if there are none.
     *
     * @throws SettingException naming the setting and the file that can't be used
     */
    static Optional<FaceTls> open(TlsFiles files, Clock clock) {
        try {
            return files.present() ? Optional.of(new FaceTls(files, clock)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new SettingException(String.valueOf(e.getMessage()));
        }
    }

    /** To be looked at again. */
    WatchedFiles<?, ?> files() {
        return files;
    }

    /** One that is always made of the last files that could be used. */
    SSLContext context() {
        return context;
    }

    /** The server's side of a new connection: where there are roots, clients must show a certificate that they issued. */
    SSLEngine serverEngine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(clientsShowTheirs);
        return engine;
    }

    /** The client's side of a new connection to one of those whom the roots vouch for, whatever its name. */
    SSLEngine clientEngine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        return engine;
    }

    /** Whether who connects must show a certificate. */
    boolean clientsShowTheirs() {
        return clientsShowTheirs;
    }

    /** When the first of the certificates in use ends. */
    Instant notAfter() {
        return files.get().notAfter();
    }
}
