package io.kvrouter.http.accesslog;

import static io.kvrouter.http.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kvrouter.admission.Ticket;
import io.kvrouter.http.openai.Usage;
import io.kvrouter.http.server.Exchange;
import io.kvrouter.http.settings.SettingException;
import io.kvrouter.http.turn.TurnPorts;
import io.kvrouter.http.turn.request.TurnPrompt;
import io.kvrouter.http.turn.request.TurnRequest;
import io.kvrouter.kv.Prompt;
import io.kvrouter.worker.Demand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class AccessLogTest {
    private static final Exchange.Ended GONE =
            new Exchange.Ended(Exchange.End.CLIENT_GONE, Optional.empty(), 0, OptionalLong.empty());

    @TempDir
    private Path directory;

    private static AccessEntry entry(String path) {
        return new AccessEntry(HttpRequest.POST(path), Instant.parse("2026-01-02T03:04:05.678Z"));
    }

    private static JsonNode json(AccessEntry entry, Exchange.Ended ended) throws IOException {
        var out = new ByteArrayOutputStream();
        new AccessLine(entry, "n", ended, 1_234_567).write(out);
        String line = out.toString(StandardCharsets.ISO_8859_1);
        assertThat(line).endsWith("}\n").matches("[ -~]+\n");
        return new ObjectMapper().readTree(line);
    }

    private Config config(Map<String, Object> more) {
        return ConfigFactory.parseMap(more)
                .withFallback(ConfigFactory.parseMap(Map.of(
                        "kvrouter.access-log.file",
                        directory.resolve("access.log").toString(),
                        "kvrouter.access-log.max-size",
                        "1 MiB",
                        "kvrouter.access-log.files",
                        2,
                        "kvrouter.access-log.queue",
                        3)));
    }

    private static TurnRequest turn(String model) {
        var prompt = TurnPrompt.unread(400, () -> CompletableFuture.failedStage(new IllegalStateException()));
        return new TurnRequest(
                new Demand("default", model, Set.of()),
                Optional.empty(),
                Optional.empty(),
                prompt,
                Optional.empty(),
                new Ticket(0));
    }

    @Test
    void nothingIsKnownOfARequestWhoseClientHasGone() throws Exception {
        assertThat(json(entry("/v1/chat/completions?q=secret"), GONE).toString())
                .isEqualTo("{\"time\":\"2026-01-02T03:04:05.678Z\",\"id\":null,\"caller\":\"-\",\"method\":\"POST\","
                        + "\"path\":\"/v1/chat/completions\",\"model\":null,\"worker\":null,\"decision\":null,"
                        + "\"reason\":null,\"node\":\"n\",\"tokens_in\":null,\"tokens_cached\":null,"
                        + "\"tokens_out\":null,\"status\":null,\"bytes\":0,\"queue_ms\":null,\"resolve_ms\":null,"
                        + "\"first_byte_ms\":null,\"total_ms\":1.235,\"outcome\":\"client_gone\"}");
    }

    @Test
    void whatIsSaidOfARequestIsInItsLine() throws Exception {
        var entry = entry("/v1/completions");
        TurnPorts.TurnMeter meter = entry.beside((predicted, reported) -> {});
        entry.from("r-1", "team-a");
        entry.turn(turn("m"));
        meter.resolved(io.kvrouter.http.turn.Decision.PINNED, 1_500_000);
        meter.used(new Usage(OptionalLong.of(100), OptionalLong.of(64), OptionalLong.of(7)));
        entry.admitted();
        var head = HttpResponse.create()
                .addHeader(RawHeader.create("x-router-worker", "w"))
                .addHeader(RawHeader.create("x-router-decision", "pinned"));

        JsonNode line = json(
                entry,
                new Exchange.Ended(
                        Exchange.End.DONE, Optional.of(head), 321, OptionalLong.of(entry.began() + 2_000_000)));

        assertThat(line.toString())
                .contains("\"id\":\"r-1\",\"caller\":\"team-a\"")
                .contains("\"model\":\"m\",\"worker\":\"w\",\"decision\":\"pinned\"")
                .contains("\"tokens_in\":100,\"tokens_cached\":64,\"tokens_out\":7,\"status\":200,\"bytes\":321")
                .contains("\"resolve_ms\":1.5,\"first_byte_ms\":2.0")
                .contains("\"outcome\":\"done\"");
        assertThat(line.path("queue_ms").asDouble(-1)).isNotNegative();
    }

    @Test
    void pathsAreCutWhereTheyMayNameAConversation() throws Exception {
        assertThat(json(entry("/v1/responses/resp_123/input_items"), GONE)
                        .path("path")
                        .asText())
                .isEqualTo("/v1/responses");
        assertThat(json(entry("/reservations/0123-x/output_block"), GONE)
                        .path("path")
                        .asText())
                .isEqualTo("/reservations");
        assertThat(json(entry("/v1/models"), GONE).path("path").asText()).isEqualTo("/v1/models");
    }

    @Test
    void whateverAClientWroteIsOneLineOfAscii() throws Exception {
        String garbage = "\"},\n{\"\u0000\u001b[31m\u2028\ud800\\";
        var entry = entry("/v1/completions");
        entry.turn(turn(garbage + "x".repeat(10_000)));
        var head = HttpResponse.create().addHeader(RawHeader.create("x-request-id", garbage));

        JsonNode line = json(entry, new Exchange.Ended(Exchange.End.DONE, Optional.of(head), 0, OptionalLong.empty()));

        assertThat(line.path("model").asText()).startsWith(garbage).hasSize(256);
        assertThat(line.path("id").asText()).isEqualTo(garbage);
    }

    @Test
    void linesBeyondTheQueueAreCounted() {
        AccessLog log = AccessLog.open(config(Map.of())).orElseThrow();

        for (int i = 0; i < 5; i++) {
            log.add(new AccessLine(entry("/v1/completions"), "n", GONE, 0));
        }

        assertThat(log.dropped()).isEqualTo(2);
    }

    @Test
    void aLineThatWaitsKeepsNeitherTheRequestNorItsAnswer() throws Exception {
        AccessLog log = AccessLog.open(config(Map.of())).orElseThrow();

        List<WeakReference<?>> large = queued(log);

        eventually("both are collected", () -> {
            System.gc();
            return large.stream().allMatch(it -> it.get() == null);
        });
        assertThat(log.dropped()).isZero();
    }

    /** Leaves a line of a large request in the queue, whose disk hangs. */
    private static List<WeakReference<?>> queued(AccessLog log) {
        TurnRequest turn = turn("m");
        HttpResponse head = HttpResponse.create().withEntity("an answer in one piece");
        var entry = entry("/v1/completions");
        entry.turn(turn);
        log.add(new AccessLine(
                entry, "n", new Exchange.Ended(Exchange.End.DONE, Optional.of(head), 9, OptionalLong.empty()), 0));
        return List.of(new WeakReference<>(turn.prompt()), new WeakReference<>(head));
    }

    @Test
    void whatCannotBeUsedIsNamed() {
        assertThatThrownBy(() -> AccessLog.open(config(Map.of("kvrouter.access-log.file", directory.toString()))))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("kvrouter.access-log.file: " + directory + " can't be written (");
        assertThatThrownBy(() -> AccessLog.open(config(Map.of("kvrouter.access-log.files", 0))))
                .hasMessage("kvrouter.access-log.files: 0 (expected: > 0)");
        assertThatThrownBy(() -> AccessLog.open(config(Map.of("kvrouter.access-log.file", " "))))
                .hasMessage("kvrouter.access-log.file: \" \" (expected: a file)");
    }

    @Test
    void aFullDiskIsToldOnceAndLosesLinesOnly() throws Exception {
        AccessLog log = AccessLog.open(config(Map.of("kvrouter.access-log.file", "/dev/full")))
                .orElseThrow();

        assertThat(warningsOfThreeLostLines(log))
                .singleElement(as(STRING))
                .startsWith("the access log /dev/full can't be written (IOException: No space left")
                .endsWith("requests go on, their lines are lost");
    }

    @Test
    void aFailureThatNobodyExpectedDoesNotEndTheLog() throws Exception {
        AccessLogSettings settings = AccessLogSettings.from(config(Map.of()));
        var file = new RotatedFile(settings.file().orElseThrow(), 100, 2, Clock.systemUTC()) {
            @Override
            void append(byte[] bytes) {
                throw new IllegalStateException("what a bug says");
            }
        };

        assertThat(warningsOfThreeLostLines(new AccessLog(settings, file)))
                .singleElement(as(STRING))
                .contains("can't be written (IllegalStateException: what a bug says)");
    }

    private static List<String> warningsOfThreeLostLines(AccessLog log) throws InterruptedException {
        var heard = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(AccessLog.class);
        heard.start();
        logger.addAppender(heard);
        ActorTestKit kit = ActorTestKit.create();
        try {
            log.start(kit.system());
            for (int i = 1; i <= 3; i++) {
                long lost = i;
                log.add(new AccessLine(entry("/v1/completions"), "n", GONE, 0));
                eventually("lost", () -> log.dropped() == lost);
            }
            assertThat(log.close().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
            return heard.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        } finally {
            logger.detachAppender(heard);
            kit.shutdownTestKit();
        }
    }

    @Test
    void aPromptOfKnownLengthIsCountedWhereItsEngineSaysNothing() throws Exception {
        var entry = entry("/v1/completions");
        Prompt known = Prompt.ofTokens(new int[] {1, 2, 3}, 3, "", "");
        entry.turn(new TurnRequest(
                new Demand("default", "m", Set.of()),
                Optional.empty(),
                Optional.empty(),
                TurnPrompt.of(known),
                Optional.empty(),
                new Ticket(0)));

        assertThat(json(entry, GONE).path("tokens_in").asLong()).isEqualTo(3);
    }
}
