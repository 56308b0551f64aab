package io.kvrouter.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;

class PemKeyTest {
    private static final HexFormat HEX = HexFormat.of();

    private static HeldCertificate rsa() {
        return new HeldCertificate.Builder().rsa2048().build();
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + label
                + "-----\n";
    }

    @Test
    void readsPkcs8() throws Exception {
        HeldCertificate rsa = rsa();
        HeldCertificate ec = new HeldCertificate.Builder().build();
        PrivateKey edwards =
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();

        assertThat(PemKey.read(rsa.privateKeyPkcs8Pem()))
                .isEqualTo(rsa.keyPair().getPrivate());
        assertThat(PemKey.read(ec.privateKeyPkcs8Pem())).isEqualTo(ec.keyPair().getPrivate());
        assertThat(PemKey.read(pem("PRIVATE KEY", edwards.getEncoded()))).isEqualTo(edwards);
    }

    @Test
    void readsPkcs1BehindACertificate() throws Exception {
        HeldCertificate rsa = rsa();

        assertThat(PemKey.read("remark\n" + rsa.certificatePem() + rsa.privateKeyPkcs1Pem()))
                .isEqualTo(rsa.keyPair().getPrivate());
    }

    @Test
    void readsSec1() throws Exception {
        var key = (ECPrivateKey) new HeldCertificate.Builder().build().keyPair().getPrivate();
        byte[] secret = key.getS().toByteArray();
        var sec1 = new ByteArrayOutputStream();
        sec1.writeBytes(HEX.parseHex("30310201010420"));
        sec1.writeBytes(new byte[Math.max(0, 32 - secret.length)]);
        sec1.write(secret, Math.max(0, secret.length - 32), Math.min(32, secret.length));
        sec1.writeBytes(HEX.parseHex("a00a06082a8648ce3d030107")); // P-256

        assertThat(((ECPrivateKey) PemKey.read(pem("EC PRIVATE KEY", sec1.toByteArray()))).getS())
                .isEqualTo(key.getS());
    }

    @Test
    void saysWhatIsWrongAndNothingOfTheKey() {
        assertThatThrownBy(() -> PemKey.read(rsa().certificatePem())).hasMessageStartingWith("no private key in it");
        assertThatThrownBy(() -> PemKey.read("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n"))
                .hasMessage("the key has a passphrase (expected: none)");
        assertThatThrownBy(() -> PemKey.read(pem("PRIVATE KEY", new byte[] {0x30, 1, 2})))
                .hasMessageStartingWith("the key can't be read");
        assertThatThrownBy(() -> PemKey.read(pem("EC PRIVATE KEY", new byte[] {0x30, 0x7f, 2})))
                .hasMessageStartingWith("the key can't be read")
                .hasNoCause();
    }
}
