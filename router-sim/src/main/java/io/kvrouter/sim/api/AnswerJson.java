package io.kvrouter.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.sim.tokens.Answer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The bodies of one completion's answer. Few pieces of its text differ, so their events are encoded once. */
public final class AnswerJson {
    private final String id;
    private final long createdS;
    private final String model;
    private final boolean chat;
    private final Answer answer;
    private final List<Map<String, byte[]>> tokenEvents;

    public AnswerJson(String id, long createdS, String model, ApiRequest request, Answer answer) {
        this.id = (request.chat() ? "chatcmpl-" : "cmpl-") + id;
        this.createdS = createdS;
        this.model = model;
        this.chat = request.chat();
        this.answer = answer;
        this.tokenEvents = Stream.<Map<String, byte[]>>generate(HashMap::new)
                .limit(request.choices())
                .toList();
    }

    /** First event of a chat's choice: who speaks. Legacy completions have none. */
    public byte[] roleEvent(int choice) {
        ObjectNode delta = Json.object().put("role", "assistant").put("content", "");
        return event(chunk(choice, delta, ""));
    }

    /** One token of a choice. */
    public byte[] tokenEvent(int choice, int index) {
        return tokenEvents
                .get(choice)
                .computeIfAbsent(answer.piece(index), piece -> event(tokenChunk(choice, piece, "")));
    }

    /** Last event of a choice. */
    public byte[] finishEvent(int choice, String reason) {
        return event(chat ? chunk(choice, Json.object(), reason) : tokenChunk(choice, "", reason));
    }

    public byte[] usageEvent(Usage usage) {
        ObjectNode body = head(chat ? "chat.completion.chunk" : "text_completion");
        body.putArray("choices");
        body.set("usage", usage.json());
        return event(body);
    }

    public static byte[] doneEvent() {
        return "data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8);
    }

    /** The answer in one piece; all choices are the same. */
    public byte[] whole(String reason, Usage usage) {
        ObjectNode body = head(chat ? "chat.completion" : "text_completion");
        var choices = body.putArray("choices");
        String text = answer.text();
        for (int i = 0; i < tokenEvents.size(); i++) {
            ObjectNode choice = choices.addObject().put("index", i);
            if (chat) {
                choice.putObject("message")
                        .put("role", "assistant")
                        .put("content", text)
                        .putNull("refusal");
            } else {
                choice.put("text", text);
            }
            choice.putNull("logprobs").put("finish_reason", reason);
        }
        body.set("usage", usage.json());
        return Json.bytes(body);
    }

    private ObjectNode tokenChunk(int choice, String word, String reason) {
        if (chat) {
            return chunk(choice, Json.object().put("content", word), reason);
        }
        ObjectNode body = head("text_completion");
        ObjectNode item = body.putArray("choices").addObject().put("index", choice);
        putReason(item.put("text", word).putNull("logprobs"), reason);
        return body;
    }

    private ObjectNode chunk(int choice, ObjectNode delta, String reason) {
        ObjectNode body = head("chat.completion.chunk");
        ObjectNode item = body.putArray("choices").addObject().put("index", choice);
        item.set("delta", delta);
        putReason(item.putNull("logprobs"), reason);
        return body;
    }

    private static void putReason(ObjectNode item, String reason) {
        if (reason.isEmpty()) {
            item.putNull("finish_reason");
        } else {
            item.put("finish_reason", reason);
        }
    }

    private ObjectNode head(String object) {
        return Json.object()
                .put("id", id)
                .put("object", object)
                .put("created", createdS)
                .put("model", model);
    }

    private static byte[] event(ObjectNode body) {
        byte[] json = Json.bytes(body);
        byte[] event = new byte[json.length + 8];
        System.arraycopy("data: ".getBytes(StandardCharsets.UTF_8), 0, event, 0, 6);
        System.arraycopy(json, 0, event, 6, json.length);
        event[json.length + 6] = '\n';
        event[json.length + 7] = '\n';
        return event;
    }
}
