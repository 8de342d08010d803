/** The boards of the demo: served by the same server, with live queues of BullMQ and pg-boss. */

import { expect, it } from 'vitest';
import type { RunningDemo } from './start-demo.ts';

/** Polling options for jobs and workers that appear after the start. */
const soon = { timeout: 120_000, interval: 250 };

/** A JSON response body with untyped members. */
interface Body {
  readonly [member: string]: Body;
}

type Get = (path: string) => Promise<Body>;

/** Returns a function that fetches from the API of a board. */
export const reading =
  (demo: RunningDemo, board: string): Get =>
  async (path) =>
    (await (await fetch(`${demo.origin}${board}/api${path}`)).json()) as Body;

async function servesItsPage(demo: RunningDemo, board: string): Promise<void> {
  expect(demo.printed()).toContain(`${demo.origin}${board}/`);
  const page = await fetch(`${demo.origin}${board}/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'nonce-");
  expect((await reading(demo, board)('/openapi.json'))['openapi']).toBe('3.1.0');
}

interface ListedQueue {
  readonly name: string;
  readonly datastore: string;
  readonly readOnlyMode: boolean;
  readonly jobSchedulerCount: number;
  readonly hasWorkers: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly { readonly id: string; readonly [field: string]: unknown }[];
}

async function listed(get: Get, query = ''): Promise<Map<string, ListedQueue>> {
  const { queues } = (await get(`/queues${query}`)) as unknown as {
    queues: readonly ListedQueue[];
  };
  return new Map(queues.map((queue) => [queue.name, queue]));
}

/** Expects flows, schedules, progress, logs, delays, priorities and failures within the polling time. */
export async function showsBullmq(get: Get, datastore: 'kv' | 'sql'): Promise<void> {
  const queues = await listed(get);
  expect([...queues.keys()].toSorted()).toEqual([
    'images',
    'imports',
    'mails',
    'orders',
    'orders.parcels',
    'orders.payments',
    'reports',
  ]);
  for (const queue of queues.values()) {
    expect({ name: queue.name, datastore: queue.datastore }).toEqual({
      name: queue.name,
      datastore,
    });
  }
  expect(queues.get('imports')).toMatchObject({ readOnlyMode: true, hasWorkers: false });
  expect(queues.get('mails')).toMatchObject({ jobSchedulerCount: 1 });
  // Workers report their names once they are connected.
  await expect.poll(async () => (await listed(get)).get('mails')?.hasWorkers, soon).toBe(true);
  expect((await get('/job-schedulers'))['schedulers']).toHaveLength(3);

  const counted = async (queue: string, state: string): Promise<number> =>
    (await listed(get)).get(queue)?.counts[state] ?? 0;
  await expect.poll(() => counted('mails', 'delayed'), soon).toBeGreaterThan(0);
  await expect.poll(() => counted('orders', 'completed'), soon).toBeGreaterThan(0);
  const failed = async (): Promise<number> =>
    (await counted('orders.payments', 'failed')) +
    (await counted('mails', 'failed')) +
    (await counted('images', 'failed'));
  await expect.poll(failed, soon).toBeGreaterThan(0);

  const completed = async (queue: string) =>
    (await listed(get, `?activeQueue=${queue}&status=completed`)).get(queue)?.jobs[0];
  const parcel = await completed('orders.parcels');
  expect(parcel?.['progress']).toEqual({ part: 'labelled', done: 3, of: 3 });
  expect(await get(`/queues/orders.parcels/${parcel?.id}/logs`)).toHaveLength(3);
  expect((await completed('images'))?.['priority']).toBeGreaterThan(0);
  const flow = await get(`/queues/orders.parcels/${parcel?.id}/flow`);
  expect(flow).toMatchObject({ isFlowNode: true, flowRoot: { queueName: 'orders' } });
  expect(flow['flowRoot']?.['children']).toHaveLength(2);
}

/** Declares the tests of the boards of a demo without a Redis. */
export function boardsOnPostgresql(demo: () => RunningDemo): void {
  it('are announced, and serve their pages with their own content security policy', async () => {
    await servesItsPage(demo(), '/bullmq');
    await servesItsPage(demo(), '/pg-boss');
    expect(demo().printed()).toContain('BullMQ on PostgreSQL');
  });

  it('show BullMQ’s queues without a Redis', () => showsBullmq(reading(demo(), '/bullmq'), 'sql'));

  it.each(['/bullmq', '/pg-boss'])('record what %s does, and show a curve', async (path) => {
    const get = reading(demo(), path);
    const [from, to] = [Date.now() - 86_400_000, Date.now() + 3_600_000];
    const history = async (metric: string) =>
      (await get(
        `/metrics/history?from=${from}&to=${to}&granularity=hour&metric=${metric}`,
      )) as unknown as Record<string, { ts: number; value: number }[]>;
    const { completed = [] } = await history('completed');
    expect(completed.length).toBeGreaterThan(20);
    // The past is made up; the age of queues is not.
    await expect
      .poll(async () => (await history('queueage'))['queueage']?.length, soon)
      .toBeGreaterThan(0);
    expect(await get('/metrics/history/usage')).toMatchObject({ oldestDay: expect.any(String) });
    expect(await get('/attention')).toHaveProperty('items');
    expect(await get('/metrics/errors')).toHaveProperty('errors');
  });

  it('show pg-boss’s queues', async () => {
    const get = reading(demo(), '/pg-boss');
    const { queues } = (await get('/pgq/queues')) as unknown as { queues: { name: string }[] };
    expect(queues.map(({ name }) => name)).toEqual([
      'imports',
      'mails',
      'orders',
      'orders-failed',
      'reports',
      'thumbnails',
    ]);
    const done = async () =>
      (await get('/pgq/queues/orders/counts'))['counts']?.['completed']?.['count'];
    await expect.poll(done, soon).toBeGreaterThan(1);
    expect((await get('/pgq/schedules'))['schedules']).toHaveLength(3);
    const info = await get('/pgq/info');
    expect(info).toMatchObject({ readable: true, writable: true });
    // The demo creates the index that the board recommends.
    expect(info).not.toHaveProperty('indexAdvice');
  });
}

/** Expects the jobs and the schedules of the demo's last run. */
export async function keepsItsJobs(demo: RunningDemo): Promise<void> {
  const get = reading(demo, '/bullmq');
  expect((await listed(get)).get('orders')?.counts['completed']).toBeGreaterThan(0);
  expect((await get('/job-schedulers'))['schedulers']).toHaveLength(3);
}
