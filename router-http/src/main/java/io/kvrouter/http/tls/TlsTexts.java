package io.kvrouter.http.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What stood in the PEM files of a face when they were read. Equal texts are the same certificates. */
record TlsTexts(TlsFiles files, Optional<String> certificate, Optional<String> key, Optional<String> ca) {
    private static final char[] NO_PASSWORD = {};
    private static final byte[] PROBE = {1, 2, 3};

    /**
     * What was made of them.
     *
     * @param notAfter when the first of the own certificates ends; never where there is none
     */
    record Made(SSLContext context, Instant notAfter) {}

    /**
     * Checks them, and makes them usable.
     *
     * @throws IllegalArgumentException naming the setting and the file that can't be used
     */
    Made made(Instant now) {
        List<X509Certificate> chain = chain(now);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(chain), trustManagers(now), null);
            Instant notAfter = chain.stream()
                    .map(one -> one.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder())
                    .orElse(Instant.MAX);
            return new Made(context, notAfter);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no TLS on this platform", e);
        }
    }

    private List<X509Certificate> chain(Instant now) {
        if (certificate.isEmpty()) {
            return List.of();
        }
        try {
            return PemCertificates.chain(certificate.get(), now);
        } catch (GeneralSecurityException e) {
            throw files.wrongCertificate(String.valueOf(e.getMessage()));
        }
    }

    private KeyManager @Nullable [] keyManagers(List<X509Certificate> chain)
            throws GeneralSecurityException, IOException {
        if (key.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        PrivateKey own = key(chain.get(0).getPublicKey());
        try {
            store.setKeyEntry("own", own, NO_PASSWORD, chain.toArray(Certificate[]::new));
        } catch (KeyStoreException e) { // one of them is there twice, say
            throw files.wrongCertificate(String.valueOf(e.getMessage()));
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private PrivateKey key(PublicKey of) {
        try {
            PrivateKey read = PemKey.read(key.orElseThrow());
            if (!fits(read, of)) {
                throw files.wrongKey("the key is not that of the certificate in "
                        + files.certificate().orElseThrow());
            }
            return read;
        } catch (GeneralSecurityException e) {
            throw files.wrongKey(String.valueOf(e.getMessage()));
        }
    }

    private static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(PROBE);
        return signature.verify(signed);
    }

    /** Null stands for the roots that the JDK trusts. */
    private TrustManager @Nullable [] trustManagers(Instant now) throws GeneralSecurityException, IOException {
        if (ca.isEmpty()) {
            return null;
        }
        KeyStore store = empty();
        List<X509Certificate> roots = roots(ca.get(), now);
        for (int i = 0; i < roots.size(); i++) {
            store.setCertificateEntry("root-" + i, roots.get(i));
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private List<X509Certificate> roots(String pem, Instant now) {
        try {
            return PemCertificates.roots(pem, now);
        } catch (GeneralSecurityException e) {
            throw files.wrongCa(String.valueOf(e.getMessage()));
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
