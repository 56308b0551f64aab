package io.kvrouter.http.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Worker;
import java.util.TreeSet;

/** The answer of {@code GET /v1/models}: what the workers that take requests serve, each name once. */
public final class ModelList {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelList() {}

    public static String of(Fleet fleet) {
        var names = new TreeSet<String>();
        fleet.workers().stream().filter(Worker::available).map(Worker::facts).forEach(facts -> {
            names.addAll(facts.models());
            names.addAll(facts.adapters());
        });
        var list = JSON.createObjectNode().put("object", "list");
        var data = list.putArray("data");
        names.forEach(name -> data.addObject()
                .put("id", name)
                .put("object", "model")
                .put("created", 0)
                .put("owned_by", "kv-router"));
        return list.toString();
    }
}
