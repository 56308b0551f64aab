package io.kvrouter.admission;

import io.kvrouter.worker.WorkerId;

/** Who can only use what is of its kind; the kind 0 is at the door. */
record OfKind(int kind) implements Claim {
    @Override
    public Aim aim() {
        return kind == 0 ? Aim.Door.ANY : new Aim.Only(new WorkerId("w" + kind));
    }

    @Override
    public boolean wants(WorkerId worker) {
        return false;
    }

    @Override
    public int elsewhere() {
        return 0;
    }

    @Override
    public boolean proceed() {
        return true;
    }

    @Override
    public void shed(Shed why) {
        // a line tells nobody
    }
}
