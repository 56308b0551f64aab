package io.kvrouter.http.ingress;

import io.kvrouter.http.access.CallerQuota;
import io.kvrouter.http.access.Gate;
import io.kvrouter.http.turn.TurnPorts;

/**
 * What the API needs of the node.
 *
 * @param gate says who is who
 * @param quota ends with each request that it let begin
 * @param turns the reader of all of this node's turns: it tells them apart
 * @param own what the node answers by itself
 * @param answers is told what requests for workers were answered
 * @param maxBody bytes that a body may have; a compressed one also without its compression
 */
public record IngressParts(
        Gate gate,
        CallerQuota quota,
        TurnPorts ports,
        TurnReader turns,
        OwnAnswers own,
        Ingress.Answers answers,
        long maxBody) {}
