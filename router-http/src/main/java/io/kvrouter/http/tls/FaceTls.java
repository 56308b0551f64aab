package io.kvrouter.http.tls;

import io.kvrouter.http.settings.SettingException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one face of a node, as its files say now. Whoever makes connections holds {@link #context()}, whose engines are
 * made of the files' last good state: connections that stand keep what they began with.
 *
 * <p>Each state has a context of its own, so that no session of an old one is resumed under a new one, whose roots may
 * not know the other side any more.
 */
final class FaceTls {
    private static final Logger LOG = LoggerFactory.getLogger(FaceTls.class);

    private final TlsFiles files;
    private final Clock clock;
    private final CurrentContext context;
    private volatile Instant notAfter;
    private TlsTexts taken;
    private TlsTexts seen;
    private String complaint = "";

    private FaceTls(TlsFiles files, TlsTexts texts, Clock clock) {
        TlsTexts.Made made = texts.made(clock.instant());
        this.files = files;
        this.clock = clock;
        this.context = new CurrentContext(made.context());
        this.notAfter = made.notAfter();
        this.taken = texts;
        this.seen = texts;
    }

    /** Reads the files; empty if there are none.
     *
     * @throws SettingException naming the setting and the file that can't be used
     */
    static Optional<FaceTls> open(TlsFiles files, Clock clock) {
        return files.present() ? Optional.of(new FaceTls(files, files.read(), clock)) : Optional.empty();
    }

    /**
     * Looks whether the files have changed, and takes them when they look the same twice: they are not written all at
     * once. Files that can't be used change nothing, and are complained of once.
     */
    synchronized void look() {
        try {
            TlsTexts now = files.read();
            boolean settled = now.equals(seen);
            seen = now;
            if (now.equals(taken)) {
                complaint = "";
            } else if (settled) {
                take(now);
            }
        } catch (SettingException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void take(TlsTexts changed) {
        TlsTexts.Made made = changed.made(clock.instant());
        context.become(made.context());
        notAfter = made.notAfter();
        taken = changed;
        complaint = "";
        LOG.info("{}: new files are in use", files.section());
    }

    private void complain(String problem) {
        if (!complaint.equals(problem)) {
            LOG.warn("{}; what was there before stays in use", problem);
        }
        complaint = problem;
    }

    /** One that is always made of the last files that could be used. */
    SSLContext context() {
        return context;
    }

    /** The server's side of a new connection: where there are roots, clients must show a certificate that they issued. */
    SSLEngine serverEngine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(files.ca().isPresent());
        return engine;
    }

    /** The client's side of a new connection to one of those whom the roots vouch for, whatever its name. */
    SSLEngine clientEngine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        return engine;
    }

    /** When the first of the certificates in use ends. */
    Instant notAfter() {
        return notAfter;
    }
}
