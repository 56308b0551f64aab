package io.kvrouter.kv.fleet;

import io.kvrouter.kv.stream.RankStream;
import java.util.function.Consumer;

/** Connects streams with the engines that publish. */
@FunctionalInterface
public interface EventSources {
    /** Feeds a stream from now on, on a thread of its own that nobody else uses the stream on. Does not block. */
    Feed open(RankSource source, RankStream stream);

    /** The connection of one stream. */
    interface Feed {
        /** Does something with the stream, on the thread that feeds it. Does not wait for that. */
        void act(Consumer<RankStream> action);

        /** Disconnects, then closes the stream, on the thread that fed it. Does not wait for that. */
        void close();
    }
}
