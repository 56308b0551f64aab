package io.kvrouter.http.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvrouter.access.Caller;
import io.kvrouter.worker.EngineFacts;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.Registration;
import io.kvrouter.worker.Worker;
import io.kvrouter.worker.Worker.Health;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModelListTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final URI A = URI.create("http://a:8000");
    private static final URI B = URI.create("http://b:8000");

    private final ModelCards cards = new ModelCards();

    @Test
    void aModelIsListedWithAllThatItsEngineTells() throws Exception {
        String card =
                "{\"id\":\"m\",\"object\":\"model\",\"created\":7,\"owned_by\":\"vllm\",\"root\":\"/m\",\"parent\":null,"
                        + "\"max_model_len\":4096,\"permission\":[{\"allow_view\":true}]}";
        cards.told(A, list(card));

        assertThat(listed(Map.of(), worker(A, Health.UP, "m"))).containsExactly(JSON.readTree(card));
    }

    @Test
    void ofSeveralWorkersTheShortestContextCounts() throws Exception {
        cards.told(A, list("{\"id\":\"m\",\"max_model_len\":4096,\"root\":\"r\"}"));
        cards.told(B, list("{\"id\":\"m\",\"max_model_len\":2048,\"more\":1}"));

        var models = listed(Map.of(), worker(A, Health.UP, "m"), worker(B, Health.UP, "m"));

        assertThat(models).hasSize(1);
        assertThat(models.getFirst().path("max_model_len").asInt()).isEqualTo(2048);
        assertThat(models.getFirst().path("root").asText()).isEqualTo("r");
        assertThat(models.getFirst().path("more").asInt()).isEqualTo(1);
    }

    @Test
    void whatNoEngineTellsOfIsListedWithWhatClientsExpect() throws Exception {
        var models = listed(Map.of(), worker(A, Health.UP, "stated"));

        assertThat(models)
                .containsExactly(JSON.readTree(
                        "{\"id\":\"stated\",\"object\":\"model\",\"created\":0,\"owned_by\":\"kv-router\"}"));
    }

    @Test
    void modelsOfWorkersThatTakeNothingAreNotListed() throws Exception {
        cards.told(A, list("{\"id\":\"m\"}"));

        assertThat(listed(Map.of(), worker(A, Health.DOWN, "m"), worker(B, Health.UP, "n")))
                .extracting(model -> model.path("id").asText())
                .containsExactly("n");
    }

    @Test
    void anAliasIsListedAsItsModelWhileThatIsServed() throws Exception {
        cards.told(A, list("{\"id\":\"m\",\"max_model_len\":4096}"));

        var models = listed(Map.of("gpt", "m", "none", "gone"), worker(A, Health.UP, "m"));

        assertThat(models).extracting(model -> model.path("id").asText()).containsExactly("gpt", "m");
        assertThat(models.getFirst().path("max_model_len").asInt()).isEqualTo(4096);
    }

    @Test
    void anAnswerThatIsNoListChangesNothing() throws Exception {
        cards.told(A, list("{\"id\":\"m\",\"root\":\"r\"}"));
        cards.told(A, "");
        cards.told(A, "<html>");
        cards.told(A, "{\"data\":[7]}");

        assertThat(listed(Map.of(), worker(A, Health.UP, "m"))
                        .getFirst()
                        .path("root")
                        .asText())
                .isEqualTo("r");
    }

    @Test
    void whatAWorkerThatIsGoneToldIsForgotten() throws Exception {
        cards.told(A, list("{\"id\":\"m\",\"root\":\"r\"}"));
        cards.keep(new Fleet(List.of(worker(B, Health.UP, "m"))));

        assertThat(listed(Map.of(), worker(A, Health.UP, "m")).getFirst().has("root"))
                .isFalse();
    }

    private List<JsonNode> listed(Map<String, String> aliases, Worker... workers) throws Exception {
        var fleet = new Fleet(List.of(workers));
        var list = JSON.readTree(new ModelList(new ModelNames(() -> fleet, aliases), cards).json(Caller.LOCAL));
        assertThat(list.path("object").asText()).isEqualTo("list");
        return list.path("data").valueStream().toList();
    }

    private static Worker worker(URI url, Health health, String model) {
        var facts = new EngineFacts(
                Set.of(model),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Worker(Registration.ofStatic(url), facts, health, List.of());
    }

    private static String list(String card) {
        return "{\"object\":\"list\",\"data\":[" + card + "]}";
    }
}
