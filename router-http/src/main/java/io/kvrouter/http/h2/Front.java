package io.kvrouter.http.h2;

import io.kvrouter.http.loop.LoopStreams;
import io.kvrouter.http.server.Serving;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** What the connections of a port have in common. */
record Front(Serving serving, OpenConnections open, LoopStreams streams) {
    /** Runs the body of an answer on the event loops, where the worker's part of it and the client's socket are too. */
    void run(Source<ByteString, ?> body, Sink<ByteString, ?> to) {
        body.to(to).run(streams.materializer());
    }
}
