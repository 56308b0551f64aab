package io.kvrouter.cluster.load.wire;

import io.kvrouter.kv.Prompt;
import io.kvrouter.load.Booking;
import io.kvrouter.load.Place;
import io.kvrouter.load.ReservationId;
import io.kvrouter.load.ReservationLedger;
import io.kvrouter.load.SliceWriter;
import io.kvrouter.load.slice.LoadSlice;
import io.kvrouter.worker.WorkerId;
import java.util.Map;
import java.util.Random;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.UniqueAddress;

/** A node whose requests come and go at random, without a cluster around it. */
final class TestNode {
    static final int WORKERS = 8;

    private final UniqueAddress address;
    private final Random random;
    private final ReservationLedger ledger = new ReservationLedger();
    private final SliceWriter writer = new SliceWriter(ledger);
    private long lastId;
    private long now;

    TestNode(int number, long seed) {
        address = address(number);
        random = new Random(seed);
    }

    static UniqueAddress address(int number) {
        return new UniqueAddress(new Address("pekko", "kvrouter", "127.0.0.1", 17_000 + number), 100L + number);
    }

    UniqueAddress address() {
        return address;
    }

    SliceWriter writer() {
        return writer;
    }

    long key(int worker) {
        return worker * 1_000_003L;
    }

    /** Books a request and tells of it. */
    LoadSlice tell(int worker) {
        book(worker);
        return writer.changes(++now);
    }

    TestNode work() {
        for (int i = random.nextInt(4); i > 0; i--) {
            book(random.nextInt(WORKERS));
            ledger.end(new ReservationId(1 + random.nextLong(lastId)), now);
        }
        return this;
    }

    /** What it sends: the rows that changed, or the whole slice. */
    LoadData message(boolean whole) {
        now++;
        return LoadData.of(Map.of(address, whole ? writer.whole(now) : writer.changes(now)));
    }

    private void book(int worker) {
        var place = new Place(new WorkerId("w" + worker), 0, key(worker), key(worker), 16, 0);
        var prompt = Prompt.ofText("p".repeat(64 * (1 + random.nextInt(3))));
        var booking = Booking.known(random.nextInt(100), 0, prompt.chain(16));
        ledger.book(new ReservationId(++lastId), place, booking, now);
    }
}
