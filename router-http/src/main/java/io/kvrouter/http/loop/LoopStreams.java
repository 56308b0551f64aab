package io.kvrouter.http.loop;

import io.netty.channel.EventLoop;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.stream.IOSettings;
import org.apache.pekko.stream.Materializer;

/**
 * Streams of one actor system that run on its event loops: the API server's, and whatever reads from one of those. Run
 * elsewhere, each element would go to another thread and its demand come back from there.
 */
public final class LoopStreams implements Extension {
    private static final Id ID = new Id();

    private static final class Id extends AbstractExtensionId<LoopStreams> {
        @Override
        public LoopStreams createExtension(ExtendedActorSystem system) {
            return new LoopStreams(system);
        }
    }

    private final EventLoops loops;
    private final Materializer materializer;

    private LoopStreams(ActorSystem system) {
        this.loops = EventLoops.of(system);
        this.materializer = onLoops(system);
    }

    /** Those of a system, made at the first call. */
    public static LoopStreams of(ClassicActorSystemProvider system) {
        return ID.get(system);
    }

    /**
     * Pekko has no other way to give a materializer a dispatcher of its own than these deprecated settings: the attribute
     * that replaces them is not taken by a server.
     *
     * <p>What is to be written is written at once. By default Pekko sends its connection's actor an empty message first and
     * waits for its answer, in case more comes meanwhile: two more turns of the loop for each token. What comes while a
     * write is under way is still one write.
     */
    @SuppressWarnings("deprecation")
    private static Materializer onLoops(ActorSystem system) {
        return org.apache.pekko.stream.ActorMaterializer.create(
                org.apache.pekko.stream.ActorMaterializerSettings.create(system)
                        .withDispatcher(EventLoops.DISPATCHER)
                        .withIOSettings(IOSettings.create(system).withCoalesceWrites(0)),
                system,
                "api");
    }

    /** Runs streams on the loops: nothing in them may block. */
    public Materializer materializer() {
        return materializer;
    }

    /** The calling thread's own loop, else any. */
    public EventLoop here() {
        return loops.here();
    }
}
