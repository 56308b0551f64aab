package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One node's management port, as an operator uses it. */
record Management(NodeProcess node) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Management of(NodeProcess node) {
        return new Management(node);
    }

    /** Waits until the claim holds of each of these nodes. */
    static void onEach(Collection<NodeProcess> nodes, Claim claim) throws Throwable {
        for (NodeProcess node : nodes) {
            eventually(() -> claim.check(of(node)));
        }
    }

    /** What is to hold of a node. */
    interface Claim {
        void check(Management node) throws Exception;
    }

    int status(String path) throws IOException {
        return send("GET", path, "").statusCode();
    }

    JsonNode get(String path) throws IOException {
        return ok(send("GET", path, ""));
    }

    void post(String path, Object body) throws IOException {
        var unused = ok(send("POST", path, JSON.writeValueAsString(body)));
    }

    void patch(String path, Object body) throws IOException {
        var unused = ok(send("PATCH", path, JSON.writeValueAsString(body)));
    }

    void delete(String path) throws IOException {
        var unused = ok(send("DELETE", path, ""));
    }

    private HttpResponse<String> send(String method, String path, String body) throws IOException {
        var request = HttpRequest.newBuilder(node.management().resolve(path))
                .header("content-type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .timeout(Eventually.PATIENCE)
                .build();
        try {
            return Chat.CLIENT.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private static JsonNode ok(HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return JSON.readTree(answer.body());
    }

    /** Addresses of the members that this node sees up. */
    Set<String> upMembers() throws IOException {
        return elements(get("/cluster/members").path("members"))
                .filter(member -> member.path("status").asText().equals("Up"))
                .map(member -> member.path("node").asText())
                .collect(Collectors.toSet());
    }

    /** Addresses of all members, in whatever state. */
    Set<String> members() throws IOException {
        return elements(get("/cluster/members").path("members"))
                .map(member -> member.path("node").asText())
                .collect(Collectors.toSet());
    }

    /** State of each registered worker by its id. */
    Map<String, String> workers() throws IOException {
        return elements(get("/workers").path("workers"))
                .collect(Collectors.toMap(
                        worker -> worker.path("id").asText(),
                        worker -> worker.path("state").asText()));
    }

    /** Requests that the whole cluster has on a worker, as this node sees it. */
    long requests(String worker) throws IOException {
        return requests(get("/router/load").path("total").path(worker));
    }

    /** Anything that the whole cluster still books on a worker, as this node sees it. */
    boolean free(String worker) throws IOException {
        return elements(get("/router/load").path("total").path(worker))
                .flatMap(Management::elements)
                .allMatch(value -> value.asLong() == 0);
    }

    /** Requests that a node, this or another one, has on all workers, as this node sees it. */
    long requestsOf(NodeProcess other) throws IOException {
        return elements(loadOf(other)).mapToLong(Management::requests).sum();
    }

    /** What a node has booked on each worker, as this node sees it; nothing of a node that it does not know. */
    JsonNode loadOf(NodeProcess other) throws IOException {
        var load = get("/router/load");
        return other == node
                ? load.path("own")
                : elements(load.path("nodes"))
                        .filter(slice -> slice.path("node").asText().endsWith("@" + other.address()))
                        .map(slice -> slice.path("workers"))
                        .findFirst()
                        .orElseGet(MissingNode::getInstance);
    }

    /** For how long nothing newer was heard of another node's load. */
    long ageOf(NodeProcess other) throws IOException {
        return elements(get("/router/load").path("nodes"))
                .filter(slice -> slice.path("node").asText().endsWith("@" + other.address()))
                .mapToLong(slice -> slice.path("age_ms").asLong())
                .findFirst()
                .orElseThrow();
    }

    private static long requests(JsonNode ranks) {
        return elements(ranks).mapToLong(rank -> rank.path("requests").asLong()).sum();
    }

    /** Where the session is bound, and where its actor lives. */
    JsonNode session(String id, Chat chat) throws IOException {
        return get(sessionPath(id, chat));
    }

    /** 404 if this node knows of no such session. */
    int sessionStatus(String id, Chat chat) throws IOException {
        return status(sessionPath(id, chat));
    }

    private static String sessionPath(String id, Chat chat) {
        return "/router/sessions/" + id + "?model=" + chat.model() + "&group=" + chat.group();
    }

    /** A series of this node's metrics, by its name and labels as they stand there. */
    double metric(String series) throws IOException {
        return send("GET", "/metrics", "")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** Actors by shard, of the shards of the asked node only: Pekko Management's own view. */
    Map<Integer, Integer> ownShards() throws IOException {
        return elements(get("/cluster/shards/session").path("regions"))
                .collect(Collectors.toMap(
                        region -> region.path("shardId").asInt(),
                        region -> region.path("numEntities").asInt(),
                        Integer::sum,
                        TreeMap::new));
    }

    /** The shards of the whole cluster. */
    Iterable<JsonNode> shards() throws IOException {
        return get("/router/shards").path("shards");
    }

    static Stream<JsonNode> elements(Iterable<JsonNode> json) {
        return StreamSupport.stream(json.spliterator(), false);
    }
}
