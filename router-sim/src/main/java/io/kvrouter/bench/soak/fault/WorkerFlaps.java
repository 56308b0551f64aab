package io.kvrouter.bench.soak.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvrouter.bench.cluster.LocalNode;
import io.kvrouter.bench.soak.traffic.Tally;
import io.kvrouter.bench.soak.traffic.Targets;
import io.kvrouter.sim.server.SimulatedWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Lets workers of its own go wrong, one after the other, until it is told to stop: they refuse, restart, push back, look
 * ill, drain, are slow, are deregistered and registered again as what they were or as another life, and stand for a
 * while under a second name. Each is as it was when the next one's turn comes.
 */
public final class WorkerFlaps implements Callable<Void> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HEALTHY = 200;
    private static final int ILL = 500;
    private static final int PUSHES_BACK = 503;
    private static final int TOO_MANY = 429;
    private static final int LONGEST_MS = 3_000;
    private static final int LONGEST_PAUSE_MS = 1_000;
    private static final int TRIES = 20;
    private static final int BETWEEN_TRIES_MS = 500;
    private static final int NOT_FOUND = 404;

    private final List<Flapping> workers;
    private final Targets targets;
    private final Tally tally;
    private final RandomGenerator random;
    private final BooleanSupplier on;

    private int lives;

    /** A worker and the id that it is registered by. */
    public record Flapping(String id, SimulatedWorker worker) {}

    private enum Flap {
        REFUSE,
        RESTART,
        PUSH_BACK,
        LOOK_ILL,
        DRAIN,
        SLOW_DOWN,
        COME_BACK,
        COME_BACK_ANEW,
        SECOND_NAME
    }

    public WorkerFlaps(
            List<Flapping> workers, Targets targets, Tally tally, RandomGenerator random, BooleanSupplier on) {
        this.workers = workers;
        this.targets = targets;
        this.tally = tally;
        this.random = random;
        this.on = on;
    }

    /** Registers all workers. */
    public void registerAll() throws IOException, InterruptedException {
        for (Flapping worker : workers) {
            register(worker.id, worker.worker);
        }
    }

    @Override
    public Void call() throws IOException, InterruptedException {
        while (on.getAsBoolean()) {
            Flapping worker = workers.get(random.nextInt(workers.size()));
            Flap flap = Flap.values()[random.nextInt(Flap.values().length)];
            tally.count("worker: " + flap.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            flap(worker, flap);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MS));
        }
        return null;
    }

    private void flap(Flapping of, Flap flap) throws IOException, InterruptedException {
        SimulatedWorker worker = of.worker;
        switch (flap) {
            case REFUSE -> {
                worker.refuse();
                last();
                worker.accept();
            }
            case RESTART -> worker.restart();
            case PUSH_BACK -> {
                worker.answerWith(random.nextBoolean() ? PUSHES_BACK : TOO_MANY, Duration.ofMillis(LONGEST_MS));
                last();
                worker.answerWith(HEALTHY, Duration.ofMillis(1));
            }
            case LOOK_ILL -> {
                worker.healthStatus(ILL);
                last();
                last();
                worker.healthStatus(HEALTHY);
            }
            case DRAIN -> {
                order("PATCH", "/workers/" + of.id, JSON.createObjectNode().put("draining", true));
                last();
                order("PATCH", "/workers/" + of.id, JSON.createObjectNode().put("draining", false));
            }
            case SLOW_DOWN -> {
                worker.slowDown(8);
                last();
                worker.slowDown(1);
            }
            case COME_BACK, COME_BACK_ANEW -> {
                remove(of.id);
                last();
                lives += flap == Flap.COME_BACK ? 0 : 1;
                register(of.id, worker);
            }
            case SECOND_NAME -> {
                String second = of.id + "-" + ++lives;
                register(second, worker);
                last();
                remove(second);
            }
        }
    }

    private void last() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MS));
    }

    private void register(String id, SimulatedWorker worker) throws IOException, InterruptedException {
        ObjectNode body = worker.registration().put("id", id);
        body.putObject("labels").put("life", Integer.toString(lives));
        order("POST", "/workers", body);
    }

    private void remove(String id) throws IOException, InterruptedException {
        order("DELETE", "/workers/" + id, JSON.createObjectNode());
    }

    /** By any node, and by another one if that is about to die; a worker that is not there is none already. */
    private void order(String method, String path, ObjectNode body) throws IOException, InterruptedException {
        int status = 0;
        for (int tries = 0; tries < TRIES; tries++) {
            LocalNode node = targets.any(random);
            try {
                status = node.change(method, path, body);
                if (status / 100 == 2 || (status == NOT_FOUND && tries > 0)) {
                    return;
                }
            } catch (IOException e) {
                status = 0;
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MS);
        }
        throw new IOException(method + " " + path + " is answered with " + status + " (expected: 2xx)");
    }
}
