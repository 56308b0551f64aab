package io.kvrouter.cluster.load;

import io.kvrouter.booking.Asker;
import io.kvrouter.booking.SelectionAnswer;
import java.util.concurrent.CompletableFuture;

/** The answer to a question for a booking; its caller may have completed or cancelled it before. */
final class PendingBooking extends CompletableFuture<SelectionAnswer> implements Asker {
    @Override
    public boolean hears(SelectionAnswer answer) {
        return complete(answer);
    }

    @Override
    public void fails(RuntimeException bug) {
        completeExceptionally(bug);
    }
}
