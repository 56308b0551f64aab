package io.kvrouter.http.openai;

import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/**
 * Answers what is no HTTP request that this router can read, in the shape of every other error. Nothing of the request
 * reaches the answer or a log: it may hold a session id or a key. Pekko HTTP makes one by name from its configuration.
 */
public final class UnreadableRequest extends ParsingErrorHandler {
    @Override
    public HttpResponse handle(StatusCode status, ErrorInfo info, LoggingAdapter log, ServerSettings settings) {
        return ApiError.refused(status.intValue(), "unreadable_request", status.defaultMessage())
                .response();
    }
}
