package io.kvrouter.cluster.kv;

import io.kvrouter.cluster.kv.MsgpackReader.Kind;
import io.kvrouter.cluster.kv.MsgpackReader.Malformed;
import io.kvrouter.kv.event.BatchDecoder;
import io.kvrouter.kv.event.KvEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the batches of vLLM, SGLang and TensorRT-LLM. A batch is {@code [ts, [event...], rank]} or a map of these; an
 * event is an array with its type first, or a map with a {@code type}; both forms may come in one batch. Fields that
 * are not known are passed over. An event that can't be read costs only itself as long as its end can be found.
 */
public final class MsgpackEvents implements BatchDecoder {
    @Override
    public List<KvEvent> decode(byte[] payload) {
        List<KvEvent> events = new ArrayList<>();
        try {
            var in = new MsgpackReader(payload);
            if (in.next() == Kind.MAP) {
                readMap(in, events);
            } else {
                readArray(in, events);
            }
        } catch (Malformed e) {
            events.add(new KvEvent.Malformed());
        }
        return events;
    }

    private static void readArray(MsgpackReader in, List<KvEvent> events) {
        if (in.array() < 2) {
            throw new Malformed("a batch of less than two fields");
        }
        in.skip();
        readEvents(in, events);
    }

    private static void readMap(MsgpackReader in, List<KvEvent> events) {
        boolean found = false;
        for (int pairs = in.map(); pairs > 0; pairs--) {
            if (in.text().equals("events")) {
                readEvents(in, events);
                found = true;
            } else {
                in.skip();
            }
        }
        if (!found) {
            throw new Malformed("a batch without events");
        }
    }

    private static void readEvents(MsgpackReader in, List<KvEvent> events) {
        int count = in.array();
        for (int i = 0; i < count; i++) {
            int start = in.position();
            try {
                events.add(in.next() == Kind.MAP ? mapEvent(in) : arrayEvent(in));
            } catch (Malformed e) {
                in.seek(start);
                in.skip();
                events.add(new KvEvent.Malformed());
            }
        }
    }

    private static KvEvent arrayEvent(MsgpackReader in) {
        int values = in.array() - 1;
        if (values < 0) {
            throw new Malformed("an event without a type");
        }
        String type = in.text();
        if (!known(type)) {
            for (int i = 0; i < values; i++) {
                in.skip();
            }
            return other(type);
        }
        var fields = new EventFields(in);
        List<String> order = EventFields.order(type);
        for (int i = 0; i < values; i++) {
            fields.read(i < order.size() ? order.get(i) : "");
        }
        return fields.toEvent(type);
    }

    private static KvEvent mapEvent(MsgpackReader in) {
        int start = in.position();
        String type = type(in);
        in.seek(start);
        if (!known(type)) {
            in.skip();
            return other(type);
        }
        var fields = new EventFields(in);
        for (int pairs = in.map(); pairs > 0; pairs--) {
            fields.read(in.text());
        }
        return fields.toEvent(type);
    }

    /** The type of a map, wherever in it: the first field as a rule. */
    private static String type(MsgpackReader in) {
        for (int pairs = in.map(); pairs > 0; pairs--) {
            if (in.text().equals("type")) {
                return in.text();
            }
            in.skip();
        }
        throw new Malformed("an event without a type");
    }

    private static boolean known(String type) {
        return type.equals(EventFields.STORED) || type.equals(EventFields.REMOVED);
    }

    private static KvEvent other(String type) {
        return type.equals("AllBlocksCleared") ? new KvEvent.AllCleared() : new KvEvent.Unknown();
    }
}
