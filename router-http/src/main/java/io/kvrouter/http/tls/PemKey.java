package io.kvrouter.http.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The private key of a PEM file, as any tool writes it: PKCS#8, PKCS#1 ("RSA PRIVATE KEY") or SEC 1 ("EC PRIVATE KEY").
 * The JDK reads PKCS#8 only, which is one of the others and the name of its algorithm before it: so that is added.
 */
final class PemKey {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xa0; // [0] of SEC 1
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 0xff;

    private PemKey() {}

    /**
     * Reads the first key of a file.
     *
     * @throws GeneralSecurityException there is none that can be used; the message says why, and nothing of the key
     */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        if (pem.contains("ENCRYPTED")) {
            throw new InvalidKeySpecException("the key has a passphrase (expected: none)");
        }
        Optional<PemBlock> block = PemBlock.in(pem).stream()
                .filter(found -> found.label().endsWith("PRIVATE KEY"))
                .findFirst();
        if (block.isEmpty()) {
            throw new InvalidKeySpecException("no private key in it (expected: a PEM block \"PRIVATE KEY\")");
        }
        try {
            return key(pkcs8(block.get()));
        } catch (RuntimeException e) { // not base64, or cut off
            throw unreadable();
        }
    }

    private static byte[] pkcs8(PemBlock block) {
        return switch (block.label()) {
            case "RSA PRIVATE KEY" -> named(RSA, block.der());
            case "EC PRIVATE KEY" -> named(element(SEQUENCE, EC, curve(block.der())), block.der());
            default -> block.der();
        };
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // of another algorithm
            }
        }
        throw unreadable();
    }

    private static InvalidKeySpecException unreadable() {
        return new InvalidKeySpecException("the key can't be read (expected: RSA, EC or Ed25519)");
    }

    private static byte[] named(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, VERSION, algorithm, element(OCTETS, key));
    }

    /** Which curve an EC key is of, as it says itself. */
    private static byte[] curve(byte[] sec1) {
        ByteBuffer fields = content(ByteBuffer.wrap(sec1));
        while (fields.hasRemaining()) {
            int tag = fields.get(fields.position()) & BYTE;
            ByteBuffer field = content(fields);
            if (tag == CURVE) {
                byte[] curve = new byte[field.remaining()];
                field.get(curve);
                return curve;
            }
        }
        throw new IllegalArgumentException("no curve");
    }

    /** The content of the DER element that begins here; the buffer goes on after it. */
    private static ByteBuffer content(ByteBuffer der) {
        der.get();
        int length = der.get() & BYTE;
        if (length >= LONG_FORM) {
            int bytes = length - LONG_FORM;
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = (length << Byte.SIZE) | (der.get() & BYTE);
            }
        }
        ByteBuffer content = der.slice(der.position(), length);
        der.position(der.position() + length);
        return content;
    }

    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var whole = new ByteArrayOutputStream();
        whole.write(tag);
        writeLength(whole, content.size());
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    /** In as few bytes as it takes: others are not accepted. */
    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < LONG_FORM) {
            out.write(length);
            return;
        }
        int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + Byte.SIZE - 1) / Byte.SIZE;
        out.write(LONG_FORM | bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(length >> (i * Byte.SIZE));
        }
    }
}
