package io.kvrouter.cluster.load;

import io.kvrouter.admission.AdmissionView;
import java.util.concurrent.atomic.AtomicReference;

/** Where the load actor shows what others read without asking it. */
record Shown(AtomicReference<PublishedLoad> load, AtomicReference<AdmissionView> admission) {
    Shown() {
        this(new AtomicReference<>(PublishedLoad.NONE), new AtomicReference<>(AdmissionView.NONE));
    }
}
