package io.kvrouter.http.template.value;

import java.util.List;

/** What {@code keys()}, {@code values()} and {@code items()} of a dict give. */
public record DictView(Kind kind, PyDict dict) {
    /** Which of the three. */
    public enum Kind {
        KEYS("dict_keys"),
        VALUES("dict_values"),
        ITEMS("dict_items");

        private final String typeName;

        Kind(String typeName) {
            this.typeName = typeName;
        }

        public String typeName() {
            return typeName;
        }
    }

    public List<Object> items() {
        return switch (kind) {
            case KEYS -> dict.keys();
            case VALUES -> dict.values();
            case ITEMS -> dict.items();
        };
    }
}
