/** The demo's board: on the same server, with queues that move. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratchFolder, startDemo } from './start-demo.ts';
import type { RunningDemo } from './start-demo.ts';

let folder: Awaited<ReturnType<typeof scratchFolder>>;
let demo: RunningDemo;

beforeAll(async () => {
  folder = await scratchFolder();
  demo = await startDemo(folder.path, { cities: 50 });
});
afterAll(async () => {
  await demo?.end();
  await folder?.remove();
});

/** A body of JSON, indexed without ado. */
interface Body {
  readonly [member: string]: Body;
}

const get = async (path: string): Promise<Body> =>
  (await (await fetch(`${demo.origin}/board/api${path}`)).json()) as Body;

it('is announced, and serves its page under its own policy', async () => {
  expect(demo.printed()).toContain(`${demo.origin}/board/ for the board`);
  const page = await fetch(`${demo.origin}/board/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'nonce-");
  expect((await get('/openapi.json'))['openapi']).toBe('3.1.0');
});

it('shows queues that move', async () => {
  const { queues } = (await get('/pgq/queues')) as unknown as { queues: { name: string }[] };
  expect(queues.map(({ name }) => name)).toEqual([
    'imports',
    'mails',
    'orders',
    'orders-failed',
    'reports',
    'thumbnails',
  ]);
  await expect
    .poll(
      async () => (await get('/pgq/queues/orders/counts'))['counts']?.['completed']?.['count'],
      {
        timeout: 30_000,
      },
    )
    .toBeGreaterThan(1);
  expect((await get('/pgq/schedules'))['schedules']).toHaveLength(3);
  const info = await get('/pgq/info');
  expect(info).toMatchObject({ readable: true, writable: true });
  // The demo made the index that the board would ask for.
  expect(info).not.toHaveProperty('indexAdvice');
});

it('stops cleanly', async () => {
  expect(await demo.end()).toBe(0);
});
