// OpenAI's and Vercel's clients against a cluster: each speaks to all nodes in turn.
import { after, before, describe, test } from 'node:test';
import { Cluster } from './cluster.js';
import { aiSdk } from './ai-sdk.js';
import { openai } from './openai.js';

const cluster = new Cluster();

before(() => cluster.start(), { timeout: 300_000 });
after(() => cluster.stop(), { timeout: 60_000 });

describe('openai', () => openai(cluster, test));
describe('ai-sdk', () => aiSdk(cluster, test));
