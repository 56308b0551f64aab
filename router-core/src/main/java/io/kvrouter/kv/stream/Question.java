package io.kvrouter.kv.stream;

/** The replay that a stream wants or has asked for: at most one at a time. A new one takes the place of the old. */
final class Question {
    /** What a replay is for. */
    enum Why {
        /** Batches are missing. */
        GAP,
        /** All is read again from the first batch on. */
        REBUILD,
        /** Nothing is known to be missing: a look whether it is. */
        CHECK,
        /** Another node is asked: the engine is not, before that one has answered. */
        HELD
    }

    private Why why = Why.CHECK;
    private long start = RankStream.NONE;
    private boolean asked;
    private long nextWhenAsked;
    private long answers;
    private long lastAnswer;
    private long heldUntil;

    void want(long from, Why reason) {
        start = from;
        why = reason;
        asked = false;
        answers = 0;
    }

    /** What was asked is asked once more: nobody knows whom the answers on their way are from. */
    void repeat(long checkpoint) {
        if (asked) {
            want(why == Why.REBUILD ? 0 : checkpoint, why);
        }
    }

    void hold(long until) {
        want(0, Why.HELD);
        heldUntil = until;
    }

    boolean held() {
        return open() && why == Why.HELD;
    }

    long heldUntil() {
        return heldUntil;
    }

    /** Hands the question out, if there is one that was not asked yet. */
    long pose(long next, long now) {
        if (!open() || asked || held()) {
            return RankStream.NONE;
        }
        asked = true;
        nextWhenAsked = next;
        lastAnswer = now;
        return start;
    }

    void answered(long now) {
        answers++;
        lastAnswer = now;
    }

    void close() {
        start = RankStream.NONE;
        asked = false;
    }

    /** Wanted or asked. */
    boolean open() {
        return start != RankStream.NONE;
    }

    boolean asked() {
        return asked;
    }

    boolean isFirstAnswer() {
        return answers == 1;
    }

    long answers() {
        return answers;
    }

    /** Whether it brought batches that were not known. */
    boolean progressed(long next) {
        return next != nextWhenAsked;
    }

    Why why() {
        return why;
    }

    long start() {
        return start;
    }

    long lastAnswer() {
        return lastAnswer;
    }
}
