package io.kvrouter.cluster.session;

import io.kvrouter.session.SessionKey;

/** A message on its way to the actor of a session, wherever that lives. */
public record ToSession(SessionKey key, SessionActor.Request request) {}
