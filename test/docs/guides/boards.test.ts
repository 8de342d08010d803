/** The guides to boards, on a real Redis: their blocks run, and do as the guides say. */

import { type Job, Queue, Worker } from 'bullmq';
import type { Express } from 'express';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../listening.ts';
import { type Service, everyServiceRequired, findRedis } from '../../services/index.ts';
import { read } from '../documents.ts';
import { blocksIn } from './blocks.ts';
import { forgetKeys } from '../../forget-keys.ts';

const found = await findRedis();
if ('missing' in found && everyServiceRequired()) throw new Error(found.advice);
const name = `guides-${process.pid}`;
const prefix = `guides-${process.pid}`;
const tokenOf = (role: string): string => `a token of the ${role}, 32 characters`.padEnd(40, '.');
const open: (() => unknown)[] = [];
let service: Service;
let queue: Queue;

beforeAll(() => {
  if ('missing' in found) return;
  service = found;
  vi.stubEnv('REDIS_URL', service.url);
  for (const role of ['operator', 'support', 'viewer']) {
    vi.stubEnv(`${role.toUpperCase()}_TOKEN`, tokenOf(role));
  }
});
beforeEach(() => {
  if ('missing' in found) return;
  vi.stubEnv('BOARD_TOKEN', tokenOf('board'));
  queue = new Queue(name, { connection: { url: service.url }, prefix });
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
  if ('missing' in found) return;
  await queue.close();
  const client = new Redis(service.url);
  await forgetKeys(client, prefix);
  client.disconnect();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  if (!('missing' in found)) await service.dispose();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}
type Ask = (method: string, path: string, body?: object, token?: string) => Promise<Answer>;

/** Serves the board of a guide, over the queue of the test. */
async function served(guide: string): Promise<{ readonly ask: Ask; readonly url: string }> {
  const blocks = blocksIn(`docs/guides/${guide}.md`, {}, (text) =>
    text
      .replaceAll(`'mails'`, `'${name}'`)
      .replaceAll(`new Queue('${name}', {`, `new Queue('${name}', { prefix: '${prefix}',`)
      .replace('const mails =', 'export const mails ='),
  );
  const { app, board, mails } = await blocks.load<{
    app: Express;
    board: { close(): Promise<void> };
    mails: Queue;
  }>('board.ts');
  const running = await listen(app);
  open.push(
    blocks.remove,
    () => mails.close(),
    () => board.close(),
    () => running.close(),
  );
  const url = `http://127.0.0.1:${running.port}/admin/queues`;
  const ask: Ask = async (method, path, body, token) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  return { ask, url };
}

/** Adds jobs that fail with the reasons. */
async function failed(reasons: readonly string[]): Promise<readonly Job[]> {
  const worker = new Worker(
    name,
    ({ data }) => Promise.reject(new Error((data as { reason: string }).reason)),
    { connection: { url: service.url }, prefix },
  );
  const jobs = await queue.addBulk(reasons.map((reason) => ({ name: 'send', data: { reason } })));
  await expect.poll(() => queue.getFailedCount()).toBe(reasons.length);
  await worker.close();
  return jobs;
}

describe.skipIf('missing' in found)('who may do what', () => {
  it('lets each role do its own, and nobody without a token', async () => {
    const { ask } = await served('permissions');
    const [job] = await failed(['away']);
    const retry = `/api/queues/${name}/${job?.id}/retry`;
    const status = async (role: string, method: string, path: string) =>
      (await ask(method, path, undefined, tokenOf(role))).status;
    expect((await ask('GET', '/api/queues')).status).toBe(401);
    expect(await status('stranger', 'GET', '/api/queues')).toBe(401);
    for (const role of ['viewer', 'support', 'operator']) {
      expect([role, await status(role, 'GET', '/api/queues')]).toEqual([role, 200]);
    }
    const refused = await ask('PUT', `/api/queues/${name}/pause`, undefined, tokenOf('viewer'));
    expect([refused.status, refused.body['code']]).toEqual([403, 'ACTION_NOT_ALLOWED']);
    expect(refused.text).toContain('queue.pause');
    expect(await status('support', 'PUT', `/api/queues/${name}/pause`)).toBe(403);
    expect(await status('support', 'PUT', `/api/queues/${name}/retry/failed`)).toBe(403);
    expect(await status('viewer', 'PUT', retry)).toBe(403);
    expect(await status('support', 'PUT', retry)).toBe(204);
    expect(await status('operator', 'PUT', `/api/queues/${name}/pause`)).toBe(200);
    const mine = await ask('GET', '/api/permissions', undefined, tokenOf('support'));
    expect(mine.text).toContain('job.retry');
  });
});

describe.skipIf('missing' in found)('redaction', () => {
  it('keeps addresses on the server, and closes the search for them', async () => {
    const { ask } = await served('redaction');
    const { id } = await queue.add('send', { to: 'ada@example.com', kind: 'receipt' });
    for (const path of [
      `/api/queues`,
      `/api/queues/${name}/${id}`,
      `/api/queues/${name}/${id}?raw=1`,
      `/api/queues/${name}/jobs?status=waiting`,
      `/api/search?id=${id}`,
    ]) {
      const answer = await ask('GET', path);
      expect([path, answer.status, answer.text.includes('ada@')]).toEqual([path, 200, false]);
    }
    const search = `/api/queues/${name}/search?path=to&value=ada@example.com`;
    expect((await ask('GET', search)).text).toContain('SEARCH_FIELD_CLOSED');
    const edit = { jobData: { to: '(hidden)', kind: 'reminder' } };
    expect((await ask('PATCH', `/api/queues/${name}/${id}/update-data`, edit)).status).toBe(200);
    expect((await queue.getJob(id ?? ''))?.data).toEqual({
      to: 'ada@example.com',
      kind: 'reminder',
    });
  });
});

describe.skipIf('missing' in found)('incidents', () => {
  it('are retried by the program: the jobs of the most frequent error alone', async () => {
    const { url } = await served('permissions');
    await failed(['gateway away 17', 'gateway away 18', 'gateway away 19', 'no such user']);
    vi.stubEnv('BOARD_URL', url);
    vi.stubEnv('BOARD_TOKEN', tokenOf('operator'));
    const blocks = blocksIn('docs/guides/incidents.md');
    open.push(blocks.remove);
    const { retryWorst } = await blocks.load<{
      retryWorst: (queueName: string) => Promise<readonly string[]>;
    }>('incident.ts');
    expect(await retryWorst(name)).toEqual([
      expect.stringMatching(/^3 jobs failed with: gateway away/),
      expect.stringMatching(/^3 were retried, run ./),
    ]);
    expect([await queue.getFailedCount(), await queue.getWaitingCount()]).toEqual([1, 3]);
    await expect(retryWorst('another')).rejects.toThrow('QUEUE_NOT_FOUND');
  });
});

describe.skipIf('missing' in found)('alerts by Prometheus', () => {
  const [, scrape = ''] =
    /```yaml\n(# prometheus[^]*?)```/.exec(read('docs/guides/alerts.md')) ?? [];
  const [, rules = ''] = /```yaml\n(# queues[^]*?)```/.exec(read('docs/guides/alerts.md')) ?? [];

  it('have the path and the authorization of the board', async () => {
    const { ask } = await served('alerts');
    const [, path = ''] = /metrics_path: \/admin\/queues(\S+)/.exec(scrape) ?? [];
    expect((await ask('GET', path)).status).toBe(401);
    expect(scrape).toContain('credentials_file');
    expect((await ask('GET', path, undefined, tokenOf('board'))).status).toBe(200);
  });

  it('name series that the board has, with their labels', async () => {
    const { ask } = await served('alerts');
    await queue.add('send', {});
    const { text } = await ask('GET', '/metrics', undefined, tokenOf('board'));
    const names = new Set(rules.match(/sluice_\w+/g));
    expect(names.size).toBe(6);
    for (const each of names) expect(text).toContain(`# TYPE ${each} gauge`);
    expect(text).toContain(`sluice_queue_jobs{queue="${name}",state="waiting"} 1`);
    expect(text).toMatch(new RegExp(`sluice_queue_workers\\{queue="${name}"\\} 0`));
    expect(text).toMatch(new RegExp(`sluice_queue_oldest_waiting_seconds\\{queue="${name}"\\} `));
  });
});
