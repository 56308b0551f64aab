package io.kvrouter.http.selection.updates;

import io.kvrouter.cluster.binding.updates.BindingReader;
import io.kvrouter.cluster.binding.updates.BindingUpdate;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * {@code GET /session_bindings/updates}: the bindings' changes for as long as somebody reads them. Nothing is queued for
 * a reader: it is looked up what changed when the client takes more, so a slow one gets newer states in place of old.
 */
public final class UpdateStream {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final ByteString COMMENT = ByteString.fromString(":\n\n");
    private static final int EVENTS_AT_ONCE = 100;

    private final UpdateEvents events;
    private final Function<OptionalLong, BindingReader> readers;
    private final BooleanSupplier leaving;

    /** Of one node; ends when that is leaving. */
    public UpdateStream(UpdateEvents events, Function<OptionalLong, BindingReader> readers, BooleanSupplier leaving) {
        this.events = events;
        this.readers = readers;
        this.leaving = leaving;
    }

    /** A stream that goes on where the request's last event was, or begins with a snapshot. */
    public HttpResponse answer(HttpRequest request) {
        var lastId = request.getHeader("Last-Event-ID")
                .map(header -> header.value())
                .or(() -> request.getUri().query().get("last_event_id"));
        OptionalLong after = lastId.map(events::number).orElse(OptionalLong.empty());
        return HttpResponse.create()
                .withEntity(HttpEntities.createChunked(
                        ContentTypes.parse("text/event-stream"), pieces(readers.apply(after))));
    }

    private Source<ByteString, NotUsed> pieces(BindingReader reader) {
        return Source.tick(Duration.ZERO, LOOK, NotUsed.getInstance())
                .takeWhile(tick -> !leaving.getAsBoolean())
                .mapConcat(tick -> () -> new Pieces(reader))
                .keepAlive(KEEP_ALIVE, () -> COMMENT)
                .mapMaterializedValue(ticks -> NotUsed.getInstance());
    }

    /** All that is new now, each piece made when it is wanted. */
    private final class Pieces implements Iterator<ByteString> {
        private final BindingReader reader;
        private Optional<BindingUpdate> next;

        Pieces(BindingReader reader) {
            this.reader = reader;
            this.next = reader.next();
        }

        @Override
        public boolean hasNext() {
            return next.isPresent();
        }

        @Override
        public ByteString next() {
            if (next.isEmpty()) {
                throw new NoSuchElementException("no update");
            }
            var text = new StringBuilder();
            int count = 0;
            while (next.isPresent() && count++ < EVENTS_AT_ONCE) {
                text.append(events.event(next.get()));
                next = reader.next();
            }
            return ByteString.fromString(text.toString());
        }
    }
}
