package io.kvrouter.http.selection.updates;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.cluster.binding.updates.BindingUpdate;
import io.kvrouter.session.BindingRow;
import io.kvrouter.session.Known;
import io.kvrouter.session.SessionKey;
import io.kvrouter.worker.WorkerId;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The bindings' changes as server-sent events. An event's id is the node's uid and the change's number; what has none is
 * part of a snapshot, after which alone reading can go on.
 */
public final class UpdateEvents {
    private static final Pattern ID = Pattern.compile("([0-9a-f]{16})-([0-9]{1,18})");

    private final String node;

    /** Of one node. */
    public UpdateEvents(long nodeUid) {
        this.node = HexFormat.of().toHexDigits(nodeUid);
    }

    /** The number in an event's id; empty if it is none of this node's. */
    OptionalLong number(String id) {
        var matcher = ID.matcher(id);
        return matcher.matches() && matcher.group(1).equals(node)
                ? OptionalLong.of(Long.parseLong(matcher.group(2)))
                : OptionalLong.empty();
    }

    String event(BindingUpdate update) {
        return switch (update) {
            case BindingUpdate.SnapshotBegins begins -> event("snapshot", update, state("begin"));
            case BindingUpdate.SnapshotEnds ends -> event("snapshot", update, state("end"));
            case BindingUpdate.State(BindingRow row, var number) -> event("binding", update, binding(row));
            case BindingUpdate.Expired(SessionKey key, var number) ->
                event("binding", update, session(key).put("state", "expired"));
        };
    }

    private String event(String name, BindingUpdate update, ObjectNode data) {
        String id = update.number().isPresent()
                ? "id: " + node + "-" + update.number().getAsLong() + "\n"
                : "";
        return id + "event: " + name + "\ndata: " + data + "\n\n";
    }

    private static ObjectNode binding(BindingRow row) {
        return state(session(row.key()), row.known()).put("deadline_ms", row.deadlineMs());
    }

    private static ObjectNode session(SessionKey key) {
        return JsonNodeFactory.instance.objectNode().put("session", key.toString());
    }

    private static ObjectNode state(String state) {
        return JsonNodeFactory.instance.objectNode().put("state", state);
    }

    /** Adds a binding, or its removal. Its version is text: it has more digits than a JavaScript number. */
    public static ObjectNode state(ObjectNode json, Known known) {
        WorkerId worker = known.worker();
        json.put("state", worker == null ? "removed" : "bound");
        if (worker != null) {
            json.put("worker_id", worker.value()).put("dp_rank", known.rank());
        }
        return json.put("version", Long.toString(known.version()));
    }
}
