package io.kvrouter.cluster.worker;

import io.kvrouter.worker.Registration;

/**
 * A worker in the replicated register. A removed worker stays as an entry, so that the nodes whose static list names it
 * do not bring it back.
 *
 * @param listDigest digest of the static list that named the worker; 0 for one registered over the API
 */
record RegisterEntry(Registration registration, boolean removed, long listDigest) {

    static RegisterEntry ofApi(Registration registration) {
        return new RegisterEntry(registration, false, 0);
    }

    RegisterEntry asRemoved() {
        return new RegisterEntry(registration, true, listDigest);
    }

    RegisterEntry with(Registration changed) {
        return new RegisterEntry(changed, removed, listDigest);
    }

    /** A DELETE of a static worker holds until the list that names it changes. */
    boolean keepsOut(long otherListDigest) {
        return !removed || listDigest == otherListDigest;
    }
}
