package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.tokens.TokenIds;
import java.util.List;

/** The answers that describe models and tokens, in vLLM's shapes. */
public final class ModelsJson {
    private ModelsJson() {}

    /** {@code /v1/models}: the first model is the base, adapters name it as their parent. */
    public static byte[] list(List<String> models, List<String> adapters, long createdS, long maxModelLen) {
        ObjectNode body = Json.object().put("object", "list");
        ArrayNode data = body.putArray("data");
        String base = models.getFirst();
        models.forEach(model ->
                card(data, model, createdS).put("root", base).putNull("parent").put("max_model_len", maxModelLen));
        adapters.forEach(adapter -> card(data, adapter, createdS)
                .put("root", adapter)
                .put("parent", base)
                .putNull("max_model_len"));
        return Json.bytes(body);
    }

    /** {@code /tokenize}. */
    public static byte[] tokens(TokenIds tokens, long maxModelLen) {
        ObjectNode body = Json.object().put("count", tokens.count()).put("max_model_len", maxModelLen);
        ArrayNode ids = body.putArray("tokens");
        for (int id : tokens.toArray()) {
            ids.add(id);
        }
        return Json.bytes(body.putNull("token_strs"));
    }

    private static ObjectNode card(ArrayNode data, String model, long createdS) {
        return data.addObject()
                .put("id", model)
                .put("object", "model")
                .put("created", createdS)
                .put("owned_by", "vllm");
    }
}
