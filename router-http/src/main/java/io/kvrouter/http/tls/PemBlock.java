package io.kvrouter.http.tls;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One block of a PEM file.
 *
 * @param label what it says it is: "CERTIFICATE", "PRIVATE KEY"
 */
record PemBlock(String label, String base64) {
    private static final Pattern FORM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");

    /** The blocks of a file in their order; whatever stands around them is a remark. */
    static List<PemBlock> in(String text) {
        return FORM.matcher(text)
                .results()
                .map(found -> new PemBlock(found.group(1), found.group(2)))
                .toList();
    }

    byte[] der() {
        return Base64.getMimeDecoder().decode(base64);
    }
}
