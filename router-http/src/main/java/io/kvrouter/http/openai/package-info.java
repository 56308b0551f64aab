/** The protocols of clients: what routing reads of their requests, and how errors look to them. */
@NullMarked
package io.kvrouter.http.openai;

import org.jspecify.annotations.NullMarked;
