package io.kvrouter.bench.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for this machine and a day, made by the JDK's keytool, in files that are deleted with this process. */
final class OwnCertificate {
    private static final String PASSWORD = "changeit"; // of a file that nobody else may read, and that is soon deleted
    private static final String NAME = "own";
    private static final long PATIENCE_S = 60;
    private static final int LINE = 64;

    private final Path folder;
    private final Path store;
    private final SSLContext trust;

    private OwnCertificate(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        this.folder = folder;
        this.store = folder.resolve("store.p12");
        List.of(folder, store, certificate(), key()).forEach(one -> one.toFile().deleteOnExit()); // the last first
        runKeytool();
        char[] password = PASSWORD.toCharArray();
        KeyStore made = KeyStore.getInstance(store.toFile(), password);
        write(certificate(), "CERTIFICATE", made.getCertificate(NAME).getEncoded());
        write(key(), "PRIVATE KEY", made.getKey(NAME, password).getEncoded());
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(made);
        trust = SSLContext.getInstance("TLS");
        trust.init(null, trusted.getTrustManagers(), null);
    }

    static OwnCertificate make() throws IOException, InterruptedException {
        try {
            return new OwnCertificate(Files.createTempDirectory("kvrouter-certificate"));
        } catch (GeneralSecurityException e) {
            throw new IOException("a certificate that keytool has made can't be used", e);
        }
    }

    private void runKeytool() throws IOException, InterruptedException {
        Process running = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!running.waitFor(PATIENCE_S, TimeUnit.SECONDS) || running.exitValue() != 0) {
            running.destroyForcibly();
            throw new IOException("keytool makes no certificate");
        }
    }

    private List<String> command() {
        String options =
                "-genkeypair -alias " + NAME + " -keyalg EC -groupname secp256r1 -validity 1 -dname CN=kvrouter"
                        + " -ext san=ip:127.0.0.1 -storetype PKCS12 -storepass " + PASSWORD;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(List.of("-keystore", store.toString()));
        return command;
    }

    private static void write(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, text, what));
    }

    /** Its file, PEM. */
    Path certificate() {
        return folder.resolve("certificate.pem");
    }

    /** The file of its key, PEM. */
    Path key() {
        return folder.resolve("key.pem");
    }

    /** A client's, which trusts it and no other. */
    SSLContext trust() {
        return trust;
    }
}
