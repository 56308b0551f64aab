/** What long prompts cost a node: CPU time a request, stage by stage. */
@NullMarked
package io.kvrouter.bench.prompt;

import org.jspecify.annotations.NullMarked;
