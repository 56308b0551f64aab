package io.kvrouter.http.prompt;

/**
 * How prompts of this node were read, since its start.
 *
 * @param own tokenized here
 * @param engines tokenized by an engine
 * @param texts taken as text, for whatever reason
 * @param busy of those, the ones for which no thread was free
 */
public record PromptCounts(long own, long engines, long texts, long busy) {}
