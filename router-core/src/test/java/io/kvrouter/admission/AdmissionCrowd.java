package io.kvrouter.admission;

import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Requests of several callers that want in, and go in whenever they are asked. */
final class AdmissionCrowd {
    final List<Request> inside = new ArrayList<>();
    final List<Request> waiting = new ArrayList<>();
    private final Map<Request, Shed.Why> sentAway = new HashMap<>();
    private final Admission admission;
    private long now = 1;

    AdmissionCrowd(AdmissionSettings settings) {
        admission = new Admission(settings);
    }

    Request comes(CallerShare of, int priority) {
        var request = new Request(of, priority);
        waiting.add(request);
        admission.claim(request.ticket, request, now++);
        return request;
    }

    void ends(Request request) {
        inside.remove(request);
        admission.leave(request.ticket, now++);
    }

    /** Nothing happens for so long. */
    void passes(long ms) {
        now += ms;
    }

    Request anyInside(SplittableRandom random) {
        return inside.get(random.nextInt(inside.size()));
    }

    int inside(CallerShare of) {
        return (int) inside.stream().filter(request -> request.of().equals(of)).count();
    }

    /** Whatever its share was. */
    int insideOf(String caller) {
        return (int) inside.stream()
                .filter(request -> request.of().caller().equals(caller))
                .count();
    }

    int waiting(CallerShare of) {
        return (int) waiting.stream().filter(request -> request.of().equals(of)).count();
    }

    /** Why it was sent away. */
    Shed.Why shed(Request request) {
        return Objects.requireNonNull(sentAway.get(request), "not sent away");
    }

    final class Request implements Claim {
        private final Ticket ticket;

        private Request(CallerShare of, int priority) {
            this.ticket = new Ticket(of, priority);
        }

        CallerShare of() {
            return ticket.caller();
        }

        @Override
        public Aim aim() {
            return Aim.Door.ANY;
        }

        @Override
        public boolean wants(WorkerId worker) {
            return true;
        }

        @Override
        public int elsewhere() {
            return 0;
        }

        @Override
        public boolean proceed() {
            waiting.remove(this);
            inside.add(this);
            return true;
        }

        @Override
        public void shed(Shed why) {
            waiting.remove(this);
            sentAway.put(this, why.why());
        }
    }
}
