package io.kvrouter.bench.callers;

import java.util.List;

/** Who asks for something, and as which caller: parties that show the same key are one caller to the router. */
public enum Phase {
    /** Nobody waits. */
    ALONE("modest alone", "", "modest"),
    /** Two callers of share 1. */
    EQUAL("equal shares", "greedy", "modest"),
    /** The modest one has {@link #SHARE}. */
    WEIGHTED("share 3 for modest", "greedy", "heavy"),
    /** The control: the router can't tell the two apart. */
    ONE_KEY("both one key", "greedy", "greedy");

    static final int SHARE = 3;

    private final String title;
    private final String greedy;
    private final String modest;

    Phase(String title, String greedy, String modest) {
        this.title = title;
        this.greedy = greedy;
        this.modest = modest;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** Who asks for something. */
    List<Party> parties() {
        return greedy.isEmpty() ? List.of(Party.MODEST) : List.of(Party.GREEDY, Party.MODEST);
    }

    /** The caller whose key a party shows. */
    String caller(Party party) {
        return switch (party) {
            case GREEDY -> greedy;
            case MODEST -> modest;
        };
    }
}
