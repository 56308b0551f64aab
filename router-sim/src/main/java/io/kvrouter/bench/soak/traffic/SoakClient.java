package io.kvrouter.bench.soak.traffic;

import io.kvrouter.bench.soak.traffic.ChatTurn.Leaving;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A client that sends one request after the other until it is told to stop, leaves half of them somewhere, and asks
 * another node again for what failed, or for what it has just left.
 */
public final class SoakClient implements Callable<Void> {
    private static final int SESSIONS = 6;
    private static final int TRIES = 3;
    private static final int LONGEST_PAUSE_MS = 200;
    private static final int LONGEST_WAIT_MS = 150;
    private static final int MOST_PARTS = 20;
    private static final int OK = 200;

    private final String name;
    private final Targets targets;
    private final Tally tally;
    private final RandomGenerator random;
    private final BooleanSupplier on;

    public SoakClient(String name, Targets targets, Tally tally, RandomGenerator random, BooleanSupplier on) {
        this.name = name;
        this.targets = targets;
        this.tally = tally;
        this.random = random;
        this.on = on;
    }

    @Override
    public Void call() throws InterruptedException {
        while (on.getAsBoolean()) {
            ChatTurn turn = ChatTurn.draw(random, session());
            boolean done = false;
            for (int tries = 0; tries < TRIES && !done && on.getAsBoolean(); tries++) {
                done = attempt(turn);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MS));
        }
        return null;
    }

    /** Of a turn in three none; the others are turns of few sessions, which never know each other's order. */
    private String session() {
        return random.nextInt(3) == 0 ? "" : name + "-" + random.nextInt(SESSIONS);
    }

    /** Returns whether the client is content. */
    private boolean attempt(ChatTurn turn) throws InterruptedException {
        try (var call = WireCall.to(targets.any(random).api())) {
            boolean content = turn.leaving() == Leaving.NEVER ? read(call, turn) : leave(call, turn);
            while (content && turn.leaving() == Leaving.NEVER && random.nextInt(3) == 0) {
                content = read(call, turn); // on the same connection
            }
            return content;
        } catch (IOException e) {
            tally.count("broken off, refused or given up");
            return false;
        }
    }

    private boolean read(WireCall call, ChatTurn turn) throws IOException {
        send(call, turn);
        int status = call.head();
        String unused = call.rest();
        tally.count("answered " + status);
        return status == OK;
    }

    private static void send(WireCall call, ChatTurn turn) throws IOException {
        call.send(turn.bytes(), turn.request().length());
    }

    /** A client that has left may come back at once, to another node. */
    private boolean leave(WireCall call, ChatTurn turn) throws IOException, InterruptedException {
        switch (turn.leaving()) {
            case NEVER, UNSENT -> {}
            case WITHIN_REQUEST ->
                call.send(turn.bytes(), 1 + random.nextInt(turn.request().length() - 1));
            case BEFORE_HEAD -> send(call, turn);
            case MID_STREAM -> {
                send(call, turn);
                int unused = call.head();
                for (int parts = random.nextInt(MOST_PARTS); parts > 0 && call.part().length > 0; parts--) {
                    // read on
                }
            }
        }
        if (turn.leaving() != Leaving.MID_STREAM && random.nextBoolean()) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_WAIT_MS));
        }
        if (random.nextBoolean()) {
            call.reset();
        }
        tally.count("left " + turn.leaving().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return random.nextInt(3) > 0;
    }
}
