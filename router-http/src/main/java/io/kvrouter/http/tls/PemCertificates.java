package io.kvrouter.http.tls;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Certificates of PEM files, looked at before anybody relies on them. */
final class PemCertificates {
    private PemCertificates() {}

    /** A certificate and those that vouch for it, each for the one before. */
    static List<X509Certificate> chain(String pem, Instant now) throws GeneralSecurityException {
        List<X509Certificate> chain = read(pem);
        for (int i = 0; i < chain.size(); i++) {
            requireValid(chain.get(i), now);
            if (i > 0 && !issued(chain.get(i), chain.get(i - 1))) {
                throw new CertificateException("certificate " + (i + 1) + " in it did not issue certificate " + i
                        + " (expected: the own certificate, then each one's issuer)");
            }
        }
        return chain;
    }

    /** Roots; of those that are not valid now, at least one must be, since bundles carry old ones along. */
    static List<X509Certificate> roots(String pem, Instant now) throws GeneralSecurityException {
        List<X509Certificate> roots = read(pem);
        if (roots.stream().noneMatch(root -> isValid(root, now))) {
            requireValid(roots.get(0), now);
        }
        return roots;
    }

    private static List<X509Certificate> read(String pem) throws GeneralSecurityException {
        var factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> read = new ArrayList<>();
        for (PemBlock block : PemBlock.in(pem)) {
            if (block.label().endsWith("CERTIFICATE")) {
                read.add(read(factory, block));
            }
        }
        if (read.isEmpty()) {
            throw new CertificateException("no certificate in it (expected: a PEM block \"CERTIFICATE\")");
        }
        return read;
    }

    private static X509Certificate read(CertificateFactory factory, PemBlock block) throws CertificateException {
        try {
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (CertificateException | IllegalArgumentException e) {
            throw new CertificateException("a certificate in it can't be read", e);
        }
    }

    private static boolean issued(X509Certificate issuer, X509Certificate certificate) {
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static void requireValid(X509Certificate certificate, Instant now) throws CertificateException {
        if (!isValid(certificate, now)) {
            throw new CertificateException("the certificate of " + certificate.getSubjectX500Principal()
                    + " is not valid now, but from "
                    + certificate.getNotBefore().toInstant() + " to "
                    + certificate.getNotAfter().toInstant());
        }
    }

    private static boolean isValid(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }
}
