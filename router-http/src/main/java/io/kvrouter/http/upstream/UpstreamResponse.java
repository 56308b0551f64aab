package io.kvrouter.http.upstream;

import io.kvrouter.http.header.Header;
import java.util.List;
import java.util.OptionalLong;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * A worker's answer: its head, and its body as it arrives.
 *
 * @param headers end-to-end headers in the worker's order
 * @param length bytes of the body if the worker stated them, empty if it sends chunks or ends with the connection. To
 *     a HEAD request it states a length and has no body
 * @param body to be run once; until then, or an abort, the worker waits. It fails with an {@link UpstreamException}
 *     when the answer ends before its framing does
 */
public record UpstreamResponse(
        int status, String reason, List<Header> headers, OptionalLong length, Source<ByteString, NotUsed> body) {
    public UpstreamResponse {
        headers = List.copyOf(headers);
    }

    /** The same answer with its body otherwise. */
    public UpstreamResponse with(Source<ByteString, NotUsed> changed) {
        return new UpstreamResponse(status, reason, headers, length, changed);
    }
}
