/** A real engine, llama.cpp in this process on a tiny model of random weights, behind the router. */
@NullMarked
package io.kvrouter.llama;

import org.jspecify.annotations.NullMarked;
