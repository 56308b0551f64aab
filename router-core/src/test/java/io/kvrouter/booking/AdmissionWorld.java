package io.kvrouter.booking;

import static io.kvrouter.selection.TestFleets.ANY;
import static io.kvrouter.selection.TestFleets.id;

import io.kvrouter.admission.AdmissionSettings;
import io.kvrouter.admission.CallerShare;
import io.kvrouter.admission.Shed;
import io.kvrouter.admission.Ticket;
import io.kvrouter.kv.Prompt;
import io.kvrouter.kv.fleet.CacheView;
import io.kvrouter.load.ReservationId;
import io.kvrouter.permit.PermitOffice;
import io.kvrouter.selection.SelectionRequest;
import io.kvrouter.selection.SelectionSettings;
import io.kvrouter.selection.TestFleets;
import io.kvrouter.worker.Fleet;
import io.kvrouter.worker.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A desk with caps, and its clients as they know themselves: what they were told, and nothing else. Its node is alone, and
 * hears the office at once.
 */
final class AdmissionWorld {
    private static final Prompt PROMPT = Prompt.ofText("z".repeat(64 * 10));

    private static final long NODE = 7;

    final AdmissionSettings settings;
    final AdmittedDesk desk;
    private final PermitOffice office;
    final List<Client> clients = new ArrayList<>();
    long now = 1;
    private long lastId;

    AdmissionWorld(AdmissionSettings settings, int workers) {
        this.settings = settings;
        var booking = new BookingSettings(SelectionSettings.DEFAULT, 120_000, 65_536, settings);
        this.desk = new AdmittedDesk(
                booking, new BookingDesk(booking, () -> CacheView.EMPTY, new Random(7)), NODE, () -> now);
        this.office = new PermitOffice(1, 0, Set.of(NODE), Set.of());
        fleet(TestFleets.of(workers));
    }

    void fleet(Fleet fleet) {
        desk.fleet(fleet);
        hearsTheOffice();
    }

    /** What either has to say, until neither has. */
    void hearsTheOffice() {
        for (int ways = 0; ways < 3; ways++) {
            desk.report().ifPresent(office::told);
            var news = office.asks(NODE) ? Map.of(NODE, office.question()) : office.news();
            news.values().forEach(desk::told);
        }
    }

    /** Where a client stands. */
    enum At {
        DOOR,
        READING,
        LINE,
        WORKER,
        SENT_AWAY,
        REFUSED,
        OVER
    }

    /** A client comes that goes to any worker. */
    Client comes(int priority) {
        return comes(priority, Optional.empty());
    }

    /** A client comes that goes to this worker only. */
    Client comesFor(int worker) {
        return comes(0, Optional.of(id(worker)));
    }

    Client comes(int priority, Optional<WorkerId> pinned) {
        return comes(CallerShare.NAMELESS, priority, pinned);
    }

    Client comes(CallerShare of, int priority, Optional<WorkerId> pinned) {
        var client = new Client(of, priority, pinned);
        clients.add(client);
        client.enter();
        return client;
    }

    /** Comes, and asks for its worker as soon as it is let in. */
    Client runs(int priority) {
        return comes(priority).asks();
    }

    long on(WorkerId worker) {
        return clients.stream().filter(c -> worker.equals(c.worker)).count();
    }

    long at(At at) {
        return clients.stream().filter(c -> c.at == at).count();
    }

    /** Time goes by. */
    void pass(long ms) {
        now += ms;
        desk.expire();
    }

    final class Client implements Asker {
        final Ticket ticket;
        final int priority;
        final Optional<WorkerId> pinned;
        At at = At.DOOR;
        Optional<Shed> shed = Optional.empty();
        Set<WorkerId> excluded = Set.of();

        @Nullable
        WorkerId worker;

        private ReservationId reservation = new ReservationId(0);

        Client(CallerShare of, int priority, Optional<WorkerId> pinned) {
            this.priority = priority;
            this.ticket = new Ticket(of, priority);
            this.pinned = pinned;
        }

        void enter() {
            desk.enter(ticket, why -> {
                shed = why;
                at = why.isPresent() ? At.SENT_AWAY : At.READING;
            });
        }

        /** Its body is read. */
        Client asks() {
            if (at == At.READING) {
                ask();
            }
            return this;
        }

        /** Its worker did not take it: it goes to another. */
        void triesAnother() {
            excluded = Set.of(worker);
            desk.end(reservation);
            worker = null;
            ask();
        }

        /** Also when it should know that it is over. */
        void ask() {
            at = At.LINE;
            var id = new ReservationId(++lastId);
            if (pinned.isPresent() && excluded.isEmpty()) {
                desk.reserve(new Pin(ANY, pinned.get(), 0, SessionMode.SOFT), Workload.of(PROMPT), id, ticket, this);
            } else {
                var request = new SelectionRequest(
                        ANY, excluded, PROMPT, Optional.empty(), Optional.empty(), Optional.empty());
                desk.select(request, id, ticket, this);
            }
        }

        @Override
        public boolean hears(SelectionAnswer answer) {
            switch (answer) {
                case SelectionAnswer.Selected booked -> {
                    at = At.WORKER;
                    worker = booked.worker();
                    reservation = booked.reservation();
                }
                case SelectionAnswer.Refused refused -> at = At.REFUSED;
                case SelectionAnswer.SentAway(Shed why) -> {
                    at = At.SENT_AWAY;
                    shed = Optional.of(why);
                }
            }
            return true;
        }

        @Override
        public void fails(RuntimeException bug) {
            throw bug;
        }

        /** Its request is over, however far it has come. */
        void leaves() {
            if (worker != null) {
                desk.end(reservation);
                worker = null;
            }
            desk.leave(ticket);
            at = At.OVER;
        }
    }
}
