import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embed, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { eventually } from './cluster.js';
import { MODEL, TEXT } from './engine.js';

export function aiSdk(cluster, test) {
  let calls = 0; // HTTP requests that the client made
  const provider = (node = 0) =>
    createOpenAICompatible({
      name: 'kv-router',
      baseURL: cluster.nodes[node],
      includeUsage: true,
      fetch: (...request) => (calls++, fetch(...request)),
    });
  const ask = (prompt, node = 0) => ({ model: provider(node)(MODEL), prompt, maxRetries: 0 });

  test('reads an answer', async () => {
    const answer = await generateText(ask('hello'));

    assert.equal(answer.text, TEXT);
    assert.equal(answer.usage.totalTokens, 10);
  });

  test('reads a stream with its usage', async () => {
    const stream = streamText(ask('hello', 1));

    assert.equal(await stream.text, TEXT);
    assert.equal((await stream.usage).outputTokens, 3);
  });

  test('calls a tool and goes on with what it said', async () => {
    const asked = [];
    const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => (asked.push(city), 'rain') });

    const answer = await generateText({ ...ask('weather?', 2), tools: { weather }, stopWhen: stepCountIs(3) });

    assert.equal(answer.text, TEXT);
    assert.deepEqual(asked, ['Oslo']);
    assert.equal(answer.steps.length, 2);
  });

  test('reads embeddings', async () => {
    const { embedding } = await embed({ model: provider().textEmbeddingModel(MODEL), value: 'x' });

    assert.deepEqual(embedding, [1, 2]);
  });

  test("hears the engine's own refusal, and does not repeat it", async () => {
    calls = 0;
    await assert.rejects(generateText({ ...ask('refuse'), maxRetries: 2 }), (e) => {
      return APICallError.isInstance(e) && e.statusCode === 400 && e.message === 'as the engine says';
    });

    assert.equal(calls, 1);
  });

  test("hears the router's refusal", async () => {
    await assert.rejects(generateText({ ...ask('x'), model: provider()('none') }), (e) => {
      return APICallError.isInstance(e) && e.statusCode === 503 && e.data.error.code === 'model_not_served';
    });
  });

  test('comes back to a busy worker when it was told to', async () => {
    calls = 0;
    const answer = await generateText({ ...ask('busy, ai-sdk', 1), maxRetries: 2 });

    assert.equal(answer.text, TEXT);
    assert.equal(calls, 2);
  });

  test('sees that a stream broke off', async () => {
    const stream = streamText({ ...ask('break, ai-sdk', 2), onError: () => {} }); // which would print it
    let read = '';

    await assert.rejects(async () => {
      for await (const part of stream.fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') read += part.text;
      }
    });
    assert.equal(read, 'one ');
    assert.equal(cluster.engine.seen('break, ai-sdk'), 1);
  });

  test('an aborted stream ends at the worker', async () => {
    const abort = new AbortController();
    const stream = streamText({ ...ask('endless, ai-sdk'), abortSignal: abort.signal });
    for await (const part of stream.fullStream) if (part.type === 'text-delta') abort.abort();

    await eventually(() => cluster.engine.closed('endless, ai-sdk'));
  });

  test('a request aborted before its answer ends at the worker', async () => {
    const abort = new AbortController();
    const answer = generateText({ ...ask('wait, ai-sdk', 1), abortSignal: abort.signal });
    await Promise.all([
      assert.rejects(answer, { name: 'AbortError' }),
      eventually(() => cluster.engine.seen('wait, ai-sdk') === 1).then(() => abort.abort()),
    ]);

    await eventually(() => cluster.engine.closed('wait, ai-sdk'));
  });
}
