package io.kvrouter.http.management;

import io.kvrouter.cluster.load.LoadDesk;
import io.kvrouter.cluster.session.Sessions;
import io.kvrouter.cluster.session.ShardView;
import io.kvrouter.cluster.worker.WorkerRegister;
import io.kvrouter.worker.Fleet;
import java.time.InstantSource;
import java.util.function.Supplier;

/** What the management API shows, and what it changes. */
public record ManagementPorts(
        WorkerRegister register,
        Supplier<Fleet> fleet,
        LoadDesk desk,
        Sessions sessions,
        ShardView shards,
        InstantSource clock,
        Supplier<String> metrics) {}
