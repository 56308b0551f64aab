package io.kvrouter.sim.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.value.Value;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A plain reader of one rank's stream of KV events. */
final class KvSubscriber implements AutoCloseable {
    private static final int LIMIT_MS = 30_000;
    private static final int POLL_MS = 20;
    /**
     * JeroMQ 0.6.0 may stop to listen to a connection that was not made at once: its poller takes the channel's new
     * handle for the old one. It connects anew when this is over; the default is 30 s.
     */
    private static final int HANDSHAKE_MS = 1_000;

    private final ZContext context = new ZContext();
    private final ZMQ.Socket events = context.createSocket(SocketType.SUB);
    private final ZMQ.Socket replay = context.createSocket(SocketType.DEALER);

    /** A batch as it came. */
    static final class Message {
        private final long sequence;
        private final byte[] payload;

        Message(long sequence, byte[] payload) {
            this.sequence = sequence;
            this.payload = payload;
        }

        long sequence() {
            return sequence;
        }

        Value batch() {
            try (var unpacker = MessagePack.newDefaultUnpacker(payload)) {
                return unpacker.unpackValue();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Whether it is a batch at all, in the form of an array. */
        boolean readable() {
            try (var unpacker = MessagePack.newDefaultUnpacker(payload)) {
                int fields = unpacker.unpackArrayHeader();
                unpacker.unpackDouble();
                return fields == 3 && unpacker.unpackArrayHeader() < payload.length;
            } catch (IOException | MessagePackException e) {
                return false;
            }
        }

        /** The events of a batch in the form of arrays. */
        List<Value> events() {
            return batch().asArrayValue().get(1).asArrayValue().list();
        }
    }

    /** Subscribed when this returns; what is received from then on begins with sequence 0. */
    KvSubscriber(SimulatedWorker worker, int rank) {
        JsonNode endpoints = worker.registration().path("kv_events");
        events.setReceiveTimeOut(POLL_MS);
        replay.setReceiveTimeOut(LIMIT_MS);
        events.setHandshakeIvl(HANDSHAKE_MS);
        replay.setHandshakeIvl(HANDSHAKE_MS);
        events.subscribe(ZMQ.SUBSCRIPTION_ALL);
        assertThat(events.connect(endpoints.path("endpoints").path(rank).asText()))
                .isTrue();
        assertThat(replay.connect(endpoints.path("replay").path(rank).asText())).isTrue();
        awaitSubscribed(new Client(worker.url()), rank);
    }

    /** The next message. */
    Message next() {
        List<Message> received = new ArrayList<>();
        Client.eventually(() -> {
            read().ifPresent(received::add);
            return !received.isEmpty();
        });
        return received.getFirst();
    }

    List<Message> next(int count) {
        List<Message> messages = new ArrayList<>();
        while (messages.size() < count) {
            messages.add(next());
        }
        return messages;
    }

    List<Long> nextSequences(int count) {
        return next(count).stream().map(Message::sequence).toList();
    }

    /** What a replay from there gives. */
    List<Message> replay(long from) {
        ask(new byte[0], ByteBuffer.allocate(Long.BYTES).putLong(from).array());
        List<Message> messages = new ArrayList<>();
        while (true) {
            assertThat(replay.recv()).isEmpty();
            long sequence = ByteBuffer.wrap(replay.recv()).getLong();
            byte[] payload = replay.recv();
            assertThat(replay.hasReceiveMore()).isFalse();
            if (sequence == -1) {
                assertThat(payload).isEmpty();
                return messages;
            }
            messages.add(new Message(sequence, payload));
        }
    }

    /** Any request, sensible or not. */
    void ask(byte[]... frames) {
        for (int i = 0; i < frames.length; i++) {
            replay.send(frames[i], i < frames.length - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /** Sends noise until some of it arrives, reads all of it, and lets the stream begin again. */
    private void awaitSubscribed(Client client, int rank) {
        long[] sent = {0};
        Client.eventually(() -> {
            client.post("/sim/faults", "{\"kv_events\":{\"rank\":" + rank + ",\"malformed\":1}}");
            sent[0]++;
            return read().isPresent();
        });
        client.post("/sim/faults", "{\"kv_events\":{\"rank\":" + rank + ",\"malformed\":1}}");
        while (next().sequence() < sent[0]) {
            // noise of before
        }
        client.post("/sim/faults", "{\"kv_events\":{\"rank\":" + rank + ",\"restart\":true}}");
    }

    private Optional<Message> read() {
        byte[] topic = events.recv();
        if (topic == null) {
            return Optional.empty();
        }
        assertThat(topic).isEmpty();
        byte[] sequence = events.recv();
        byte[] payload = events.recv();
        assertThat(events.hasReceiveMore()).isFalse();
        return Optional.of(new Message(ByteBuffer.wrap(sequence).getLong(), payload));
    }
}
