package io.kvrouter.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.http.file.WatchedFiles;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class FaceTlsTest {
    private final TestAuthority authority = new TestAuthority();
    private final HeldCertificate first = authority.issue("localhost");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(WatchedFiles.class);

    @TempDir
    private Path directory;

    private Path certificate;
    private Path key;

    @BeforeEach
    void write() throws IOException {
        certificate = TestAuthority.certificate(directory, first);
        key = TestAuthority.key(directory, first);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private Config config(String more) {
        return ConfigFactory.parseString(more)
                .withFallback(ConfigFactory.parseMap(
                        Map.of("tls.certificate", certificate.toString(), "tls.key", key.toString())));
    }

    private FaceTls open(String more) {
        return FaceTls.open(TlsFiles.ofPeer(config(more), "tls"), Clock.systemUTC())
                .orElseThrow();
    }

    private FaceTls open() {
        return FaceTls.open(TlsFiles.ofServer(config(""), "tls"), Clock.systemUTC())
                .orElseThrow();
    }

    private static Instant end(HeldCertificate of) {
        return of.certificate().getNotAfter().toInstant();
    }

    @Test
    void withoutFilesThereIsNone() {
        var none = ConfigFactory.parseString("tls { certificate = null, key = null, ca = null }");

        assertThat(FaceTls.open(TlsFiles.ofServer(none, "tls"), Clock.systemUTC()))
                .isEmpty();
    }

    @Test
    void aSettingThatLacksItsPartnerIsNamed() {
        assertThatThrownBy(() -> open("tls.key = null"))
                .isInstanceOf(SettingException.class)
                .hasMessage("tls.key: missing (expected: with certificate)");
        assertThatThrownBy(() -> open("tls.certificate = null"))
                .hasMessage("tls.certificate: missing (expected: with key)");
        assertThatThrownBy(() -> open("")).hasMessage("tls.ca: missing (expected: with certificate)");
        assertThatThrownBy(() -> open("tls { certificate = null, key = null, ca = x }"))
                .hasMessage("tls.certificate: missing (expected: with ca)");
        assertThatThrownBy(() -> open("tls.ca = \" \"")).hasMessage("tls.ca: \" \" (expected: a file)");
    }

    @Test
    void aFileThatCannotBeUsedIsNamedWithItsSetting() throws Exception {
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> open("tls.ca = \"" + absent + "\""))
                .hasMessage("tls.ca: " + absent + ": can't be read");
        assertThatThrownBy(() -> open("tls.ca = \"" + key + "\""))
                .hasMessageStartingWith("tls.ca: " + key + ": no certif");

        TestAuthority.key(directory, authority.issue("localhost"));
        assertThatThrownBy(this::open)
                .hasMessage("tls.key: " + key + ": the key is not that of the certificate in " + certificate);

        TestAuthority.certificate(directory, authority.expired("localhost"));
        assertThatThrownBy(this::open)
                .hasMessageStartingWith("tls.certificate: " + certificate + ": the certificate of CN=issued by a test")
                .hasMessageContaining("is not valid now");

        Files.writeString(
                certificate, first.certificatePem() + authority.issue("x").certificatePem());
        assertThatThrownBy(this::open).hasMessageContaining("certificate 2 in it did not issue certificate 1");

        Files.writeString(certificate, first.certificatePem().substring(0, 200));
        assertThatThrownBy(this::open).hasMessageContaining("no certificate in it");

        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(this::open).hasMessageContaining("a certificate in it can't be read");
    }

    @Test
    void changedFilesAreTakenWhenTheyAreTheSameTwice() throws Exception {
        FaceTls face = open();
        HeldCertificate second =
                new HeldCertificate.Builder().duration(7, TimeUnit.DAYS).build();

        TestAuthority.certificate(directory, second);
        face.files().look();
        TestAuthority.key(directory, second);
        face.files().look();
        assertThat(face.notAfter()).isEqualTo(end(first));

        face.files().look();
        assertThat(face.notAfter()).isEqualTo(end(second));
        assertThat(log.list).isEmpty(); // nothing was wrong
    }

    @Test
    void brokenFilesChangeNothingAndAreComplainedOfOnce() throws Exception {
        FaceTls face = open();

        Files.writeString(key, "nothing");
        for (int i = 0; i < 5; i++) {
            face.files().look();
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "tls.key: " + key + ": no private key in it (expected: a PEM block \"PRIVATE KEY\"); what"
                                + " was there before stays in use");
        assertThat(face.notAfter()).isEqualTo(end(first));

        Files.delete(key);
        face.files().look();
        face.files().look();
        TestAuthority.key(directory, first);
        face.files().look();
        assertThat(log.list).hasSize(2);
        assertThat(log.list.get(1).getFormattedMessage()).startsWith("tls.key: " + key + ": can't be read; what");
    }
}
