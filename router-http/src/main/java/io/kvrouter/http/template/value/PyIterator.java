package io.kvrouter.http.template.value;

import java.util.Iterator;

/** An iterator or generator: it is consumed once, lazily, has no length and is always true. */
public record PyIterator(Iterator<Object> source) {}
