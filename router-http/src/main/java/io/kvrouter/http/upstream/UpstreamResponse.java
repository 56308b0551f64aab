package io.kvrouter.http.upstream;

import io.kvrouter.http.header.Header;
import java.util.List;
import java.util.Optional;
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
 * @param whole the body, if it came together with the head: who takes it need not run the source
 */
public record UpstreamResponse(
        int status,
        String reason,
        List<Header> headers,
        OptionalLong length,
        Source<ByteString, NotUsed> body,
        Optional<ByteString> whole) {
    public UpstreamResponse {
        headers = List.copyOf(headers);
    }

    /** An answer whose body is still to come. */
    public UpstreamResponse(
            int status, String reason, List<Header> headers, OptionalLong length, Source<ByteString, NotUsed> body) {
        this(status, reason, headers, length, body, Optional.empty());
    }

    /** The same answer with other headers. */
    public UpstreamResponse with(List<Header> others) {
        return new UpstreamResponse(status, reason, others, length, body, whole);
    }
}
