package io.kvrouter.http.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.http.openai.ApiError;
import io.kvrouter.http.openai.ApiException;
import java.util.Collection;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaType;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/** JSON in and out of the management API. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int CREATED = 201;
    private static final int UNSUPPORTED = 415;

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static ArrayNode texts(Collection<String> values) {
        ArrayNode array = array();
        values.stream().sorted().forEach(array::add);
        return array;
    }

    /**
     * Refuses a body that does not say that it is JSON. Of other types a browser sends what it likes for a page of any
     * origin, to ports that nobody but its own machine reaches; for this one it asks first, and gets no leave.
     *
     * @throws ApiException 415
     */
    static void require(HttpRequest request) {
        MediaType type = request.entity().getContentType().mediaType();
        if (!type.isApplication() || !type.subType().equals("json")) {
            throw new ApiException(ApiError.refused(
                    UNSUPPORTED,
                    "unsupported_media_type",
                    "The body must be JSON, as 'Content-Type: application/json'."));
        }
    }

    static ObjectNode parseObject(String body) {
        try {
            if (MAPPER.readTree(body) instanceof ObjectNode object) {
                return object;
            }
            throw new ApiException(ApiError.badRequest("The body must be a JSON object."));
        } catch (JsonProcessingException e) {
            throw new ApiException(ApiError.badRequest("The body is not valid JSON."), e);
        }
    }

    static HttpResponse ok(JsonNode body) {
        return HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, body + "\n");
    }

    static HttpResponse created(JsonNode body) {
        return ok(body).withStatus(StatusCodes.get(CREATED));
    }
}
