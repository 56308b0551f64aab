package io.kvrouter.bench.client;

/** Those of an {@link Ingress}, and which of its calls goes on which. Confined to the client's thread. */
interface Connections {
    /** Sends it, on a connection that may have to be made. */
    void send(Call call);

    /** Its call was answered, and it takes another. */
    default void idle(Connection connection) {}

    /** It is gone. */
    default void closed(Connection connection) {}

    /** Closes those that wait for a call. */
    void closeIdle();
}
