package io.kvrouter.cluster.binding;

import io.kvrouter.session.SessionKey;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.cluster.ddata.Key;

/** The name of one binding table in Distributed Data. */
final class TableKey extends Key<BindingTableData> {
    /** All of them, by number. */
    static final List<TableKey> ALL =
            IntStream.range(0, SessionKey.TABLES).mapToObj(TableKey::new).toList();

    private static final String PREFIX = "bindings-";

    private TableKey(int table) {
        super(PREFIX + table);
    }

    /** Which table a key names. */
    static int number(Key<BindingTableData> key) {
        return Integer.parseInt(key.id().substring(PREFIX.length()));
    }
}
