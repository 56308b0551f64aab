package io.kvrouter.cluster.binding;

import io.kvrouter.session.BindingRow;
import io.kvrouter.session.SessionKey;
import io.kvrouter.session.SessionState;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;

/** What a session's actor needs of its node: to see what is remembered of the session, and to have it remembered. */
public interface Bindings {
    SessionState.Sight look(SessionKey key);

    /** Remembers a row: here at once, on all nodes soon. */
    void publish(BindingRow row);

    /** Answers when all nodes have what was published of the session, or could not be reached. */
    void flush(SessionKey key, ActorRef<Done> replyTo);
}
