package io.kvrouter.multijvm;

import static io.kvrouter.multijvm.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.multijvm.Chat.Open;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that stream turn after turn, each through the next node that takes requests. Whatever fails counts, but for
 * what went through a node that the test has given up.
 */
final class Conversations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Conversations.class);
    /** Over a second at a fifth of a real engine's speed. */
    private static final int TOKENS = 40;

    private final WorkerGroup workers;
    private final Balancer balancer;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Conversation> all;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    private Conversations(NodeCluster cluster, WorkerGroup workers, int count) {
        this.workers = workers;
        this.balancer = new Balancer(cluster);
        this.all = IntStream.range(0, count).mapToObj(Conversation::new).toList();
    }

    /** So many conversations, called c0, c1 and so on after their group; each is bound when this returns. */
    static Conversations start(NodeCluster cluster, WorkerGroup workers, int count) throws Throwable {
        var started = new Conversations(cluster, workers, count);
        started.all.forEach(started.threads::execute);
        eventually(() -> {
            started.requireNoFailure();
            assertThat(started.all).allMatch(it -> it.turns.stream().anyMatch(Turn::pinned));
        });
        return started;
    }

    /** The node is about to be taken away: from now on nothing goes there, and what it still has may fail. */
    void giveUp(NodeProcess node) {
        balancer.giveUp(node);
    }

    /** Nothing goes to this node any more, and what it had has ended when this returns. */
    void leave(NodeProcess node) throws Throwable {
        giveUp(node);
        eventually(() -> assertThat(all).noneMatch(it -> node.equals(it.at.get())));
    }

    /** Requests that a given-up node had, and that were sent again through another one. */
    int repeated() {
        return all.stream().mapToInt(it -> it.repeated.get()).sum();
    }

    /** Waits until each conversation is so many turns further. */
    void awaitTurns(int more) throws Throwable {
        List<Integer> aims = all.stream().map(it -> it.turns.size() + more).toList();
        eventually(() -> {
            requireNoFailure();
            for (int i = 0; i < aims.size(); i++) {
                assertThat(all.get(i).turns).as("turns of %s", all.get(i).id).hasSizeGreaterThanOrEqualTo(aims.get(i));
            }
        });
    }

    List<String> sessions() {
        return all.stream().map(it -> it.id).toList();
    }

    /** Lets all come to their end: none has failed, and each has stayed on its worker, says whoever was asked. */
    void endWithoutAMove() throws Exception {
        close();
        requireNoFailure();
        for (Conversation one : all) {
            assertThat(one.turns.stream().dropWhile(turn -> !turn.pinned()))
                    .as("turns of %s once it is bound", one.id)
                    .allMatch(Turn::pinned);
            assertThat(workers.servedBy(one.id)).as("workers of %s", one.id).hasSize(1);
        }
        SessionTrail.check(workers, turns());
        LOG.info(
                "{} turns, {} sent again; the slowest waited {} ms for its head",
                turns().size(),
                repeated(),
                slowestMs());
    }

    List<Turn> turns() {
        return all.stream().map(it -> it.turns).flatMap(Collection::stream).toList();
    }

    long slowestMs() {
        return turns().stream().mapToLong(Turn::headMs).max().orElseThrow();
    }

    private void requireNoFailure() {
        assertThat(failures).isEmpty();
    }

    @Override
    public void close() throws IOException {
        over = true;
        threads.close();
        balancer.close();
    }

    private final class Conversation implements Runnable {

        private final String id;
        private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();
        private final AtomicInteger repeated = new AtomicInteger();
        private final AtomicReference<@Nullable NodeProcess> at = new AtomicReference<>();
        private int sent;

        Conversation(int index) {
            id = workers.name() + "-c" + index;
        }

        @Override
        public void run() {
            while (!over && failures.isEmpty()) {
                try {
                    var node = balancer.next();
                    if (node.isPresent()) {
                        through(node.get());
                    }
                } catch (InterruptedException | RuntimeException | Error e) {
                    failures.add(id + ": " + e);
                }
            }
        }

        private void through(NodeProcess node) throws InterruptedException {
            at.set(node);
            try {
                if (!balancer.givenUp(node)) {
                    turns.add(turn(node));
                }
            } catch (ConnectException e) {
                repeated.incrementAndGet(); // refused: as a load balancer does, it tries another node
            } catch (IOException e) {
                repeated.incrementAndGet();
                if (!balancer.givenUp(node)) {
                    failures.add(id + " through " + node + ": " + e);
                }
            } finally {
                at.set(null);
            }
        }

        private Turn turn(NodeProcess node) throws IOException, InterruptedException {
            String requestId = id + "-" + sent++;
            var chat = workers.session(id).with("x-request-id", requestId).streaming(TOKENS);
            long began = System.nanoTime();
            try (Open stream = chat.open(node)) {
                long headMs = (System.nanoTime() - began) / 1_000_000;
                var head = stream.head();
                if (head.status() != 200 || !stream.finishes()) {
                    throw new IOException("answer " + head.status() + ", or a stream that was cut off");
                }
                return new Turn(id, requestId, head.worker(), head.decision(), headMs);
            }
        }
    }
}
