package io.kvrouter.http.h2;

import io.kvrouter.http.loop.EventLoops;
import io.kvrouter.http.server.Serving;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** What the connections of a port have in common. */
record Front(Serving serving, OpenConnections open, ActorSystem system) {
    /** Runs the body of an answer on the event loops, where the worker's part of it and the client's socket are too. */
    void run(Source<ByteString, ?> body, Sink<ByteString, ?> to) {
        body.to(to)
                .withAttributes(ActorAttributes.dispatcher(EventLoops.DISPATCHER))
                .run(SystemMaterializer.get(system).materializer());
    }
}
