package io.kvrouter.http.template.value;

import java.util.AbstractList;
import java.util.List;

/** Python's range: its numbers are computed, not stored. */
public record PyRange(long start, long stop, long step) {
    public int length() {
        long span = step > 0 ? stop - start : start - stop;
        return span <= 0 ? 0 : Math.toIntExact((span - 1) / Math.abs(step) + 1);
    }

    /** The numbers, as a view. */
    public List<Object> numbers() {
        int length = length();
        return new AbstractList<>() {
            @Override
            public Object get(int index) {
                return start + index * step;
            }

            @Override
            public int size() {
                return length;
            }
        };
    }
}
