import assert from 'node:assert/strict';
import OpenAI, { APIError, APIUserAbortError, BadRequestError, InternalServerError, NotFoundError } from 'openai';
import { eventually } from './cluster.js';
import { MODEL, TEXT } from './engine.js';

const ASK = (order) => ({ model: MODEL, messages: [{ role: 'user', content: order }] });
const WEATHER = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } };

export function openai(cluster, test) {
  let calls = 0; // HTTP requests that the client made
  const client = (node = 0, options = {}) =>
    new OpenAI({
      baseURL: cluster.nodes[node],
      apiKey: 'unused',
      maxRetries: 0,
      fetch: (...request) => (calls++, fetch(...request)),
      ...options,
    });

  test('reads an answer, and which worker it came from', async () => {
    const { data, response } = await client().chat.completions.create(ASK('hello')).withResponse();

    assert.equal(data.choices[0].message.content, TEXT);
    assert.equal(data.usage.total_tokens, 10);
    assert.match(response.headers.get('x-router-worker'), /^[0-9a-f]{12}$/);
  });

  test('keeps a session on its worker from every node', async () => {
    const model = 'sim-model';
    const workers = new Set();
    const decisions = [];
    for (const node of [0, 1, 2, 0]) {
      const of = client(node, { defaultHeaders: { 'x-session-id': 'npm-1' } });
      const { response } = await of.chat.completions.create({ ...ASK('hello'), model, max_tokens: 2 }).withResponse();
      workers.add(response.headers.get('x-router-worker'));
      decisions.push(response.headers.get('x-router-decision'));
      await new Promise((resolve) => setTimeout(resolve, 200)); // until all nodes know the binding
    }

    assert.equal(workers.size, 1);
    assert.deepEqual(decisions, ['selected', 'pinned', 'pinned', 'pinned']);
  });

  test('reads a stream with its usage, only where it asked for it', async () => {
    const parts = async (more) => {
      const chunks = [];
      for await (const chunk of await client(1).chat.completions.create({ ...ASK('hello'), stream: true, ...more })) chunks.push(chunk);
      return chunks;
    };
    const chunks = await parts({ stream_options: { include_usage: true } });

    assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), TEXT);
    assert.equal(chunks.at(-1).usage.completion_tokens, 3);
    assert.ok((await parts({})).every((chunk) => chunk.usage === undefined));
  });

  test('calls a tool and goes on with what it said', async () => {
    const asked = [];
    const runner = client(2).chat.completions.runTools({
      ...ASK('weather?'),
      tools: [{ type: 'function', function: { ...WEATHER.function, parse: JSON.parse, function: ({ city }) => (asked.push(city), 'rain') } }],
    });

    assert.equal(await runner.finalContent(), TEXT);
    assert.deepEqual(asked, ['Oslo']);
  });

  test('reads tool calls from a stream', async () => {
    const stream = client().chat.completions.stream({ ...ASK('weather, streamed?'), tools: [WEATHER] });

    const { message } = (await stream.finalChatCompletion()).choices[0];

    assert.equal(message.tool_calls[0].function.arguments, '{"city":"Oslo"}');
  });

  test('reads responses, embeddings and models', async () => {
    assert.equal((await client(1).responses.create({ model: MODEL, input: 'x' })).output_text, `${TEXT} x`);
    const embedded = await client(2).embeddings.create({ model: MODEL, input: 'x', encoding_format: 'float' });
    assert.deepEqual(embedded.data[0].embedding, [1, 2]);
    const ids = (await client().models.list()).data.map((model) => model.id);
    assert.ok(ids.includes(MODEL) && ids.includes('sim-model'));
    assert.equal((await client().models.retrieve(MODEL)).max_model_len, 64);
    await assert.rejects(client().models.retrieve('a/b'), (e) => e instanceof NotFoundError && e.code === 'model_not_found');
  });

  test("hears the engine's own refusal", async () => {
    await assert.rejects(client().chat.completions.create(ASK('refuse')), (e) => {
      return e instanceof BadRequestError && e.param === 'seed' && e.code === 'odd' && e.message.includes('as the engine says');
    });
  });

  test("hears the router's refusal and does not repeat what is no use", async () => {
    calls = 0;
    await assert.rejects(client(1, { maxRetries: 3 }).chat.completions.create({ ...ASK('x'), model: 'none' }), (e) => {
      return e instanceof InternalServerError && e.status === 503 && e.code === 'model_not_served';
    });

    assert.equal(calls, 1);
  });

  test('comes back to a busy worker when it was told to', async () => {
    calls = 0;
    const answer = await client(2, { maxRetries: 2 }).chat.completions.create(ASK('busy, openai'));

    assert.equal(answer.choices[0].message.content, TEXT);
    assert.equal(calls, 2);
  });

  test('sees that a stream broke off', async () => {
    const stream = await client().chat.completions.create({ ...ASK('break, openai'), stream: true });
    let read = '';

    await assert.rejects(async () => {
      for await (const chunk of stream) read += chunk.choices[0].delta.content;
    }, (e) => e instanceof APIError && e.code === 'stream_broken');
    assert.equal(read, 'one ');
    assert.equal(cluster.engine.seen('break, openai'), 1);
  });

  test('an aborted stream ends at the worker', async () => {
    const stream = await client(1).chat.completions.create({ ...ASK('endless, openai'), stream: true });
    for await (const chunk of stream) if (chunk.choices[0].delta.content) break; // leaving the loop aborts

    await eventually(() => cluster.engine.closed('endless, openai'));
  });

  test('a request aborted before its answer ends at the worker', async () => {
    const abort = new AbortController();
    const answer = client(2).chat.completions.create(ASK('wait, openai'), { signal: abort.signal });
    await Promise.all([
      assert.rejects(answer, APIUserAbortError),
      eventually(() => cluster.engine.seen('wait, openai') === 1).then(() => abort.abort()),
    ]);

    await eventually(() => cluster.engine.closed('wait, openai'));
  });
}
