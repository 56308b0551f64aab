package io.kvrouter.http.selection;

import io.kvrouter.cluster.binding.updates.BindingReader;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.ingress.TurnReader;
import io.kvrouter.http.reservation.Reservations;
import io.kvrouter.http.turn.TurnPorts;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What the selection API needs of the node.
 *
 * @param gate says who is who
 * @param turns the reader of all of this node's turns: it tells them apart
 * @param nodeUid in the ids of the updates' events: numbers of another node mean nothing here
 * @param readers reads the bindings' changes after a number
 */
public record SelectionParts(
        Gate gate,
        TurnPorts ports,
        TurnReader turns,
        Reservations reservations,
        long nodeUid,
        Function<OptionalLong, BindingReader> readers,
        InstantSource clock) {}
