/** KV events on the wire: ZeroMQ sockets that feed the streams, and the MessagePack batches of vLLM, SGLang, TensorRT-LLM. */
@NullMarked
package io.kvrouter.cluster.kv;

import org.jspecify.annotations.NullMarked;
