package io.kvrouter.http.management;

import io.kvrouter.cluster.hosted.HostedLookup;
import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.overview.BindingCensus;
import io.kvrouter.cluster.overview.BindingPages;
import io.kvrouter.cluster.overview.WorkerUnbinding;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.worker.WorkerRegister;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.ingress.TurnReader;
import io.kvrouter.http.turn.Explainer;
import io.kvrouter.kv.fleet.WorkerKvStatus;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.worker.Fleet;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the management API shows, and what it changes; and the gate before it.
 *
 * @param obstacle why this node takes no requests, in words; empty if it does
 */
public record ManagementPorts(
        Gate gate,
        WorkerRegister register,
        Supplier<Fleet> fleet,
        State state,
        Routing routing,
        Supplier<String> metrics,
        Supplier<Optional<String>> obstacle) {

    /** What this node knows of the cluster. */
    public record State(
            LoadDesk desk, SessionPorts sessions, Supplier<List<WorkerKvStatus>> caches, InstantSource clock) {}

    /** The cluster's sessions: asked, shown by page and by number, ended. */
    public record SessionPorts(
            Sessions sessions,
            ShardView shards,
            HostedLookup hosted,
            BindingPages pages,
            BindingCensus census,
            WorkerUnbinding unbinding) {}

    /** How this node reads a request, and decides about it. */
    public record Routing(TurnReader turns, Explainer explainer, SelectionSettings selection) {}
}
