package io.kvrouter.bench.prompt;

/** Kinds of requests that are told apart. */
enum Turns {
    FIRST("first turn, no session"),
    LATER("later turn, no session"),
    FIRST_OF_SESSION("first turn of a session"),
    PINNED("later turn of a session, pinned");

    private final String title;

    Turns(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
