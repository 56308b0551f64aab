package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A worker in the replicated register. A removed worker stays as an entry, so that the nodes whose static list names it
 * do not bring it back.
 *
 * @param lists digests of the static lists that have named the worker
 */
record RegisterEntry(Registration registration, boolean removed, Set<Long> lists) {
    RegisterEntry {
        lists = Set.copyOf(lists);
    }

    static RegisterEntry ofApi(Registration registration, Optional<RegisterEntry> before) {
        return new RegisterEntry(
                registration, false, before.map(RegisterEntry::lists).orElse(Set.of()));
    }

    /** As a static list leaves it: a list that names it for the first time brings back what was removed. */
    static RegisterEntry ofStatic(Registration registration, long list, Optional<RegisterEntry> before) {
        if (before.isEmpty()) {
            return new RegisterEntry(registration, false, Set.of(list));
        }
        RegisterEntry known = before.get();
        if (known.lists.contains(list)) {
            return known;
        }
        return new RegisterEntry(known.removed ? registration : known.registration, false, known.marked(list).lists);
    }

    /** With the mark of a list that has named the worker before: nothing else changes. */
    RegisterEntry marked(long list) {
        Set<Long> all = new HashSet<>(lists);
        all.add(list);
        return new RegisterEntry(registration, removed, all);
    }

    boolean live() {
        return !removed;
    }

    RegisterEntry asRemoved() {
        return new RegisterEntry(registration, true, lists);
    }

    RegisterEntry with(Registration changed) {
        return new RegisterEntry(changed, removed, lists);
    }
}
