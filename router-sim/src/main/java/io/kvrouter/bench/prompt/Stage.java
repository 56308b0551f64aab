package io.kvrouter.bench.prompt;

/** A step on a request's way through the router. */
enum Stage {
    SCAN("parse: fields for routing", true),
    TREE("parse: tree for the template", true),
    RENDER("render", true),
    TOKENIZE("tokenize", true),
    HASH_64("hash, blocks of 64", true),
    HASH_16("hash, blocks of 16", false),
    SELECT_8("select and book, 8 workers", true),
    SELECT_1024("select and book, 1,024 workers", false);

    private final String title;
    private final boolean ofEveryRequest;

    Stage(String title, boolean ofEveryRequest) {
        this.title = title;
        this.ofEveryRequest = ofEveryRequest;
    }

    String title() {
        return title;
    }

    /** Whether it counts in the sum; else it is there to compare with another. */
    boolean ofEveryRequest() {
        return ofEveryRequest;
    }
}
