package io.kvrouter.http.tls;

import com.typesafe.config.Config;
import io.kvrouter.http.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of one face of a node.
 *
 * @param section the full key of their settings
 * @param certificate the own certificate, and those between it and its root
 * @param key the private key of the own certificate
 * @param ca the roots that the other side's certificate must come from
 */
record TlsFiles(String section, Optional<Path> certificate, Optional<Path> key, Optional<Path> ca) {
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String CA = "ca";

    TlsFiles {
        require(section, certificate.isPresent() || key.isEmpty(), CERTIFICATE, "missing (expected: with " + KEY + ")");
        require(section, key.isPresent() || certificate.isEmpty(), KEY, "missing (expected: with " + CERTIFICATE + ")");
    }

    /** The files of a side that shows a certificate of its own whenever TLS is on. */
    static TlsFiles ofServer(Config config, String section) {
        TlsFiles files = of(config, section);
        require(
                section,
                files.ca.isEmpty() || files.key.isPresent(),
                CERTIFICATE,
                "missing (expected: with " + CA + ")");
        return files;
    }

    /** The files of a side that shows its certificate and asks for the other's. */
    static TlsFiles ofPeer(Config config, String section) {
        TlsFiles files = ofServer(config, section);
        require(
                section,
                files.key.isEmpty() || files.ca.isPresent(),
                CA,
                "missing (expected: with " + CERTIFICATE + ")");
        return files;
    }

    static TlsFiles of(Config config, String section) {
        return new TlsFiles(
                section, path(config, section, CERTIFICATE), path(config, section, KEY), path(config, section, CA));
    }

    private static Optional<Path> path(Config config, String section, String name) {
        String key = section + "." + name;
        if (!config.hasPath(key)) {
            return Optional.empty();
        }
        String text = config.getString(key);
        require(section, !text.isBlank(), name, "\"" + text + "\" (expected: a file)");
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            throw new SettingException(key, text + " (expected: a file)");
        }
    }

    private static void require(String section, boolean holds, String name, String otherwise) {
        if (!holds) {
            throw new SettingException(section + "." + name, otherwise);
        }
    }

    /** Whether there are any. */
    boolean present() {
        return certificate.isPresent() || ca.isPresent();
    }

    /** What is in them now. {@link IllegalArgumentException} if one can't be read. */
    TlsTexts read() {
        return new TlsTexts(this, text(CERTIFICATE, certificate), text(KEY, key), text(CA, ca));
    }

    private Optional<String> text(String name, Optional<Path> file) {
        return file.map(path -> {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                throw wrong(name, path, "can't be read");
            }
        });
    }

    IllegalArgumentException wrongCertificate(String problem) {
        return wrong(CERTIFICATE, certificate.orElseThrow(), problem);
    }

    IllegalArgumentException wrongKey(String problem) {
        return wrong(KEY, key.orElseThrow(), problem);
    }

    IllegalArgumentException wrongCa(String problem) {
        return wrong(CA, ca.orElseThrow(), problem);
    }

    private IllegalArgumentException wrong(String name, Path file, String problem) {
        return new IllegalArgumentException(section + "." + name + ": " + file + ": " + problem);
    }
}
