// An engine that does what the last message orders, so that a test sees what its client makes of it.
import { createServer } from 'node:http';

export const MODEL = 'scripted';
export const TEXT = 'one two three';
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

export class Engine {
  #server = createServer((request, response) => this.#serve(request, response));
  #seen = new Map(); // order -> requests that gave it
  #closed = new Map(); // order -> when a client's leaving was seen

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  /** How many requests gave this order. */
  seen(order) {
    return this.#seen.get(order) ?? 0;
  }

  /** Whether a request with this order was left by its client. */
  closed(order) {
    return this.#closed.has(order);
  }

  stop() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.method === 'GET') {
      const models = request.url === '/v1/models';
      const list = { object: 'list', data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'us', max_model_len: 64 }] };
      return json(response, models || request.url === '/health' ? 200 : 404, models ? list : {});
    }
    const body = JSON.parse(text);
    switch (request.url) {
      case '/v1/chat/completions':
        return this.#chat(body, response);
      case '/v1/responses':
        return json(response, 200, responseOf(body));
      case '/v1/embeddings':
        return json(response, 200, { object: 'list', model: MODEL, data: [{ object: 'embedding', index: 0, embedding: [1, 2] }], usage: USAGE });
      default:
        return json(response, 404, {});
    }
  }

  #chat(body, response) {
    const last = body.messages.at(-1);
    const order = typeof last.content === 'string' ? last.content : last.content.map((part) => part.text ?? '').join('');
    this.#seen.set(order, this.seen(order) + 1);
    response.on('close', () => response.writableFinished || this.#closed.set(order, true));
    if (order.startsWith('refuse')) {
      return json(response, 400, { error: { message: 'as the engine says', type: 'BadRequestError', param: 'seed', code: 'odd' } });
    }
    if (order.startsWith('busy') && this.seen(order) < 2) {
      response.setHeader('retry-after', '1');
      return json(response, 429, { error: { message: 'busy', type: 'rate_limit_error', param: null, code: null } });
    }
    if (order.startsWith('wait')) return undefined; // no head, ever
    const message = last.role === 'user' && body.tools?.length ? toolCall(body.tools) : { role: 'assistant', content: TEXT };
    return body.stream ? this.#stream(body, order, message, response) : json(response, 200, completion(message));
  }

  #stream(body, order, message, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, finish_reason = null) => response.write(event({ ...chunk(), choices: [{ index: 0, delta, finish_reason }] }));
    send({ role: 'assistant', content: '' });
    if (order.startsWith('endless')) {
      const timer = setInterval(() => send({ content: 'word ' }), 20);
      response.on('close', () => clearInterval(timer));
    } else if (order.startsWith('break')) {
      send({ content: 'one ' });
      setTimeout(() => response.destroy(), 50);
    } else {
      if (message.tool_calls) send({ tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) });
      else for (const word of TEXT.split(/(?<= )/)) send({ content: word });
      send({}, message.tool_calls ? 'tool_calls' : 'stop');
      if (body.stream_options?.include_usage) response.write(event({ ...chunk(), choices: [], usage: USAGE }));
      response.end('data: [DONE]\n\n');
    }
  }
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = () => ({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: MODEL });

function toolCall([tool]) {
  const call = { id: 'call1', type: 'function', function: { name: tool.function.name, arguments: '{"city":"Oslo"}' } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

function completion(message) {
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop';
  return { ...chunk(), object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage: USAGE };
}

function responseOf(body) {
  const content = [{ type: 'output_text', text: `${TEXT} ${body.input}`, annotations: [] }];
  return { id: 'r1', object: 'response', created_at: 1, status: 'completed', model: MODEL, output: [{ id: 'm1', type: 'message', role: 'assistant', status: 'completed', content }] };
}
