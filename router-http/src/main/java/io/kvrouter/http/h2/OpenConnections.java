package io.kvrouter.http.h2;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connections of a port, until each is closed. */
final class OpenConnections {
    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();

    void opened(ClientConnection connection) {
        open.add(connection);
    }

    void closed(ClientConnection connection) {
        open.remove(connection);
    }

    /** Closes all of them, whatever runs on them. */
    void cut() {
        open.forEach(ClientConnection::cut);
    }
}
