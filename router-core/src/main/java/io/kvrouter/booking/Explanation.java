package io.kvrouter.booking;

import io.kvrouter.selection.Candidate;
import io.kvrouter.selection.Selection;
import java.util.List;

/**
 * What a selection sees and chooses.
 *
 * @param candidates every eligible place
 * @param selection what was chosen, or why nothing was
 */
public record Explanation(List<Candidate> candidates, Selection selection) {
    public Explanation {
        candidates = List.copyOf(candidates);
    }
}
