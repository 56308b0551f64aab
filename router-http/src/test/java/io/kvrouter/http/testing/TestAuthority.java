package io.kvrouter.http.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** An authority that issues certificates to the parts of a test. */
public final class TestAuthority {
    private static final Duration DAY = Duration.ofDays(1);

    private final HeldCertificate root = new HeldCertificate.Builder()
            .commonName("root of a test")
            .certificateAuthority(1)
            .build();

    /** What the JDK trusts. */
    public static SSLContext platform() {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A certificate for these names or addresses, and its key. */
    public HeldCertificate issue(String... names) {
        return issue(Instant.now().minus(DAY), Instant.now().plus(DAY), names);
    }

    /** One that was valid until yesterday. */
    public HeldCertificate expired(String... names) {
        return issue(Instant.now().minus(DAY.multipliedBy(2)), Instant.now().minus(DAY), names);
    }

    private HeldCertificate issue(Instant from, Instant to, String... names) {
        var builder = new HeldCertificate.Builder()
                .commonName("issued by a test")
                .validityInterval(from.toEpochMilli(), to.toEpochMilli())
                .signedBy(root);
        for (String name : names) {
            builder.addSubjectAlternativeName(name);
        }
        return builder.build();
    }

    /** Trusts what this authority issues. */
    public HandshakeCertificates trust() {
        return new HandshakeCertificates.Builder()
                .addTrustedCertificate(certificate())
                .build();
    }

    /** Trusts what this authority issues. */
    public SSLContext context() {
        return trust().sslContext();
    }

    /** Trusts what this authority issues, and shows this. */
    public SSLContext context(HeldCertificate own) {
        return new HandshakeCertificates.Builder()
                .addTrustedCertificate(certificate())
                .heldCertificate(own)
                .build()
                .sslContext();
    }

    public X509Certificate certificate() {
        return root.certificate();
    }

    /** Its own certificate as a file. */
    public Path ca(Path directory) throws IOException {
        return write(directory.resolve("ca.pem"), root.certificatePem());
    }

    /** A certificate as a file. */
    public static Path certificate(Path directory, HeldCertificate of) throws IOException {
        return write(directory.resolve("certificate.pem"), of.certificatePem());
    }

    /** Its key as a file. */
    public static Path key(Path directory, HeldCertificate of) throws IOException {
        return write(directory.resolve("key.pem"), of.privateKeyPkcs8Pem());
    }

    private static Path write(Path file, String text) throws IOException {
        return Files.writeString(file, text);
    }
}
