package io.kvrouter.bench.sessions.load;

import io.kvrouter.bench.client.ClientThread;
import io.kvrouter.bench.client.Ingress;
import java.net.URI;

/** One node, and how it is as health checks and faults have it. Confined to the client's thread. */
final class Target {
    private static final int MAX_CONNECTIONS = 512;

    private final Ingress ingress;
    private boolean up = true;
    private boolean struck;

    Target(URI api, ClientThread thread) {
        this.ingress = new Ingress(api, MAX_CONNECTIONS, thread);
    }

    Ingress ingress() {
        return ingress;
    }

    boolean is(URI api) {
        return ingress.api().equals(api);
    }

    boolean up() {
        return up;
    }

    /** A fault strikes it: what it has in hand is counted apart from now on. */
    boolean struck() {
        return struck;
    }

    void strike(boolean now) {
        struck = now;
    }

    /** As the health check finds it. A node that is down gets nothing new, and what waits goes to others. */
    void up(boolean now) {
        up = now;
        if (!up) {
            ingress.takeBackWaiting();
        }
    }
}
