package io.kvrouter.http.selection;

import io.kvrouter.access.Caller;
import io.kvrouter.http.reservation.Gone;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * A call whose body is there.
 *
 * @param caller who sent it
 * @param gone what is to be done when the client leaves before it has its answer
 */
record Incoming(HttpRequest request, Caller caller, CallBody body, Gone gone) {
    Fields fields() {
        return body.fields();
    }
}
