package io.kvrouter.bench.client;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One node as its clients see it: so many calls at once on connections that are kept, and calls that wait for their
 * place. Confined to the client's thread.
 */
public final class Ingress {
    private final URI api;
    private final int places;
    private final Connections connections;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private int inFlight;

    /**
     * One that is spoken to in HTTP/1.1, in plain text.
     *
     * @param places calls in flight at most
     */
    public Ingress(URI api, int places, ClientThread thread) {
        this(api, Wire.PLAIN, places, thread);
    }

    /**
     * One that is spoken to in this way.
     *
     * @param places calls in flight at most
     */
    public Ingress(URI api, Wire wire, int places, ClientThread thread) {
        this.api = api;
        this.places = places;
        this.connections =
                wire.http2() ? new SharedConnections(this, wire, thread) : new KeptConnections(this, wire, thread);
    }

    public URI api() {
        return api;
    }

    /** Calls sent whose end is not known. */
    public int inFlight() {
        return inFlight;
    }

    /** Sends it when there is a place. */
    public void send(Call call) {
        if (inFlight >= places) {
            waiting.add(call);
            return;
        }
        inFlight++;
        connections.send(call);
    }

    /** What still waits ends here, not sent. */
    public void takeBackWaiting() {
        List<Call> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(call -> call.ended(Outcome.Unanswered.NOT_SENT));
    }

    /** Closes the connections that wait for a call. */
    public void closeIdle() {
        connections.closeIdle();
    }

    /** A call is over: its place is free before its client goes on. */
    void ended(Call call, Outcome outcome) {
        inFlight--;
        Call next = waiting.poll();
        if (next != null) {
            send(next);
        }
        call.ended(outcome);
    }

    void idle(Connection connection) {
        connections.idle(connection);
    }

    void closed(Connection connection) {
        connections.closed(connection);
    }
}
