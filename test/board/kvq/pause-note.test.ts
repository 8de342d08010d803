/** Who has paused a queue and why: kept while it is paused, and never told of another pause. */

import { expect, it, onTestFinished } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { createBoard } from '../../../src/board/index.ts';
import { cells } from './cells.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';

const reason = 'bank is down, "call" 50 % of them; 1,2;3 – ünïcode 🏦';

function pauseNoteSuite({ cell, start, test }: Suite): void {
  test('tells since when a queue is paused, and why', async () => {
    const { board, path, listed } = await start();
    const before = Date.now();
    await board.send('PUT', `${path}/pause`, { reason: ` ${reason} ` });
    const { isPaused, pause } = await listed();
    expect([isPaused, pause]).toEqual([true, { since: expect.any(Number), reason }]);
    expect(pause.since).toBeGreaterThanOrEqual(before);
    expect(pause.since).toBeLessThanOrEqual(Date.now());
    // A second pause changes nothing.
    await board.send('PUT', `${path}/pause`, { reason: 'another one' });
    expect((await listed()).pause).toEqual(pause);
    await board.send('PUT', '/api/queues/pause', { reason: 'all of them' });
    expect((await listed()).pause).toEqual(pause);
    await board.send('PUT', `${path}/resume`);
    expect((await listed()).pause).toBe(undefined);
    await board.send('PUT', '/api/queues/pause', { reason: 'all of them' });
    expect((await listed()).pause).toMatchObject({ reason: 'all of them' });
    await board.send('PUT', '/api/queues/resume');
    await board.send('PUT', `${path}/pause`);
    expect((await listed()).pause).toEqual({ since: expect.any(Number) });
  });

  test('refuses a reason that is not a text of at most 200 characters', async () => {
    const { board, path, listed } = await start();
    for (const given of ['x'.repeat(201), 7, null, 'a\u0000b']) {
      for (const at of [path, '/api/queues']) {
        const answer = await board.send('PUT', `${at}/pause`, { reason: given });
        expect([given, keyOf(answer)]).toEqual([given, '400 INVALID_REQUEST_BODY']);
      }
    }
    expect((await listed()).isPaused).toBe(false);
    expect((await board.send('PUT', `${path}/pause`, { reason: '  ' })).status).toBe(200);
    expect((await listed()).pause).toEqual({ since: expect.any(Number) });
  });

  test('tells nothing of a pause of another tool', async () => {
    const { queue, board, path, listed } = await start();
    await queue.pause();
    expect((await listed()).pause).toBe(undefined);
    await board.send('PUT', `${path}/pause`, { reason });
    expect(await listed()).toMatchObject({ isPaused: true });
    expect((await listed()).pause).toBe(undefined);
    await queue.resume();
    await board.send('PUT', `${path}/pause`, { reason });
    expect((await listed()).pause).toMatchObject({ reason });
    // Another tool resumes and pauses it: the board has seen it run.
    await queue.resume();
    expect((await listed()).isPaused).toBe(false);
    await queue.pause();
    const { isPaused, pause } = await listed();
    expect([isPaused, pause]).toEqual([true, undefined]);
  });

  test('leaves no note of a queue that has gone', async () => {
    const { queue, board, path } = await start();
    await board.send('PUT', `${path}/pause`, { reason });
    await board.send('PUT', `${path}/obliterate`, { force: true });
    const left = await queue.redis?.client.keys(`${queue.redis.key('')}*`);
    expect(left ?? []).toEqual([]);
  });

  if (cell.datastore === 'sql') {
    test('knows its own pause from one that it has not seen the queue run before', async () => {
      const { queue, board, path, listed } = await start();
      await board.send('PUT', `${path}/pause`, { reason });
      await queue.resume();
      await queue.pause();
      expect((await listed()).isPaused).toBe(true);
      expect((await listed()).pause).toBe(undefined);
    });
  }
}

for (const cell of cells) suiteOf(cell, pauseNoteSuite);

it('names the user whom the board has let in', async () => {
  const [cell] = cells;
  const world = await cell?.open();
  if (!world || 'missing' in world) throw new Error('There is no cell.');
  onTestFinished(() => world.close());
  const queue = await world.queue('named');
  const token = 'the-token-of-the-operations-0123456789';
  const auth = createAuthMiddleware({
    strategy: 'token',
    tokens: [token],
    user: { username: 'operations' },
    cookie: { secret: 'the cookie secret of the operations' },
  });
  const board = createBoard({ queues: [queue.boardQueue()], auth });
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await board.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return answer.json() as Promise<{ queues: { pause?: object }[] }>;
  };
  await ask('PUT', '/api/queues/named/pause', { reason });
  const { queues } = await ask('GET', '/api/queues?jobs=false');
  expect(queues[0]?.pause).toEqual({ since: expect.any(Number), by: 'operations', reason });
  await board.close();
});
