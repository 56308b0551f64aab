// A demo cluster of three nodes, as ./router demo starts it, and the scripted engine as one more of its workers.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Engine } from './engine.js';

const NODES = 3;
const LIMIT_MS = 180_000;

export class Cluster {
  async start() {
    this.engine = await new Engine().start();
    const [api, management, remoting, worker] = await freePorts();
    this.nodes = Array.from({ length: NODES }, (_, node) => `http://127.0.0.1:${api + node}/v1`);
    const ports = ['--api-port', api, '--management-port', management, '--remoting-port', remoting, '--worker-port', worker];
    this.demo = spawn(process.env.ROUTER, ['demo', '--nodes', NODES, ...ports].map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = new Promise((resolve) => this.demo.on('exit', resolve));
    await this.#says('Ctrl-C ends everything.');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ url: this.engine.url });
    await fetch(`http://127.0.0.1:${management}/workers`, { method: 'POST', headers, body });
    for (let node = 0; node < NODES; node++) await eventually(() => this.#isUp(management + node));
    return this;
  }

  async #says(text) {
    let said = '';
    let ended = false;
    this.demo.stdout.on('data', (data) => (said += data));
    this.ended.then(() => (ended = true));
    await eventually(() => ended || said.includes(text), () => said);
    if (ended) throw new Error(`the demo ended: ${said}`);
  }

  async #isUp(management) {
    const { workers } = await (await fetch(`http://127.0.0.1:${management}/workers`)).json();
    return workers.some((worker) => worker.url === this.engine.url && worker.state === 'up');
  }

  async stop() {
    this.demo?.kill('SIGTERM');
    await this.ended;
    await this.engine?.stop();
  }
}

/** Polls until it holds; in vain, it fails with what `otherwise` tells. */
export async function eventually(holds, otherwise = () => '') {
  for (const end = Date.now() + LIMIT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`waited in vain: ${otherwise()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The first of a few free ports in a row, four times. */
async function freePorts() {
  const firsts = [];
  while (firsts.length < 4) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const row = Array.from({ length: NODES }, (_, i) => first + i);
    const apart = firsts.every((other) => Math.abs(other - first) > NODES);
    if (apart && (await Promise.all(row.map(isFree))).every(Boolean)) firsts.push(first);
  }
  return firsts;
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
