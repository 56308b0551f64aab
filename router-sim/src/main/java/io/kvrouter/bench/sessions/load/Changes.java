package io.kvrouter.bench.sessions.load;

/**
 * What became of the sessions' workers since a fault.
 *
 * @param asked sessions that had a turn since
 * @param rebound changed their worker with one {@code rebound} turn for each change: as it must be where a worker is lost
 * @param silent changed their worker otherwise: nobody said why, a cold cache for nothing
 * @param unheard changed their worker after a turn that was {@code unbound}: nobody had decided on that one
 * @param young changed their worker, but were bound less than a second before the fault, when not all nodes need know
 * @param later changed their worker, but were bound only after the fault, when their actor may have been missing
 * @param forgotten had a turn that was {@code selected} as a first one is, though they were bound for longer
 */
public record Changes(long asked, long rebound, long silent, long unheard, long young, long later, long forgotten) {
    static final Changes NONE = new Changes(0, 0, 0, 0, 0, 0, 0);

    public Changes plus(Changes other) {
        return new Changes(
                asked + other.asked,
                rebound + other.rebound,
                silent + other.silent,
                unheard + other.unheard,
                young + other.young,
                later + other.later,
                forgotten + other.forgotten);
    }
}
