package io.kvrouter.http.h2;

import io.kvrouter.http.header.EndToEndHeaders;
import io.kvrouter.http.header.Header;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.DateTime;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** The head of an answer as HTTP/2 has it: names in lower case, no reason, nothing that belongs to a connection. */
final class ResponseHead {
    private ResponseHead() {}

    /** That of a response; {@link IllegalArgumentException} if a header of it can't be sent. */
    static Http2Headers of(HttpResponse response) {
        Http2Headers head = new DefaultHttp2Headers()
                .status(Integer.toString(response.status().intValue()));
        List<Header> headers = new ArrayList<>();
        for (HttpHeader header : response.getHeaders()) {
            if (header.renderInResponses()) {
                headers.add(new Header(header.name(), header.value()));
            }
        }
        for (Header header : EndToEndHeaders.of(headers)) {
            head.add(header.key(), header.value());
        }
        ContentType type = response.entity().getContentType();
        if (!type.equals(ContentTypes.NO_CONTENT_TYPE)) {
            head.set("content-type", type.toString());
        }
        if (response.status().allowsEntity()) {
            response.entity()
                    .getContentLengthOption()
                    .ifPresent(length -> head.set("content-length", Long.toString(length)));
        }
        return head.set("date", DateTime.now().toRfc1123DateTimeString());
    }
}
