package io.kvrouter.http.ingress;

import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.util.ByteString;

/**
 * Compression of request bodies. The worker gets the body as it came; routing reads what is inside, up to the same
 * limit as of any other body, so that no small body makes this node hold a huge one.
 */
final class ContentCoding {
    static final String HEADER = "Content-Encoding";

    private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
    private static final int UNSUPPORTED = 415;
    private static final int TOO_LARGE = 413;

    private ContentCoding() {}

    /**
     * A body without its compression.
     *
     * @throws ApiException 415 for another coding than gzip, 413 beyond the limit, 400 for what is no such thing
     */
    static ByteString plain(String coding, ByteString body, long limit) {
        String name = coding.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals("identity")) {
            return body;
        }
        if (!GZIP.contains(name)) {
            throw new ApiException(ApiError.refused(
                    UNSUPPORTED, "unsupported_content_coding", "A body may be compressed with gzip, or not at all."));
        }
        int most = (int) Math.min(limit, Integer.MAX_VALUE - 16L);
        try (var unzipped = new GZIPInputStream(new ByteArrayInputStream(body.toArrayUnsafe()))) {
            byte[] plain = unzipped.readNBytes(most);
            if (plain.length == most && unzipped.read() >= 0) {
                throw new ApiException(
                        ApiError.refused(TOO_LARGE, "body_too_large", "The body is larger than this router takes."));
            }
            return ByteString.fromArrayUnsafe(plain);
        } catch (IOException e) {
            throw new ApiException(ApiError.badRequest("The body is not valid gzip."), e);
        }
    }
}
