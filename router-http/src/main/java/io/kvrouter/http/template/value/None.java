package io.kvrouter.http.template.value;

/** Python's None. */
public enum None {
    NONE
}
