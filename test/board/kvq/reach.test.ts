/** Bulk commands change what was there when they were requested, and nothing in queues that the sender may not change. */

import { expect } from 'vitest';
import type { TestQueue } from './cell.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const minute = 60_000;

function reachSuite({ cell, current, world, start, test }: Suite): void {
  test('empties a queue of the jobs that were added before the request', async () => {
    const { queue, board, path, listed } = await start();
    const kinds = [{}, { delay: 10 * minute }, ...(current ? [{ priority: 3 }] : [])];
    const late = { timestamp: Date.now() + 10 * minute };
    for (const opts of kinds) {
      await queue.add('before', {}, opts);
      await queue.add('after', {}, { ...opts, ...late });
    }
    const { status, body } = await board.send('PUT', `${path}/empty`);
    expect([status, body]).toEqual([200, { removed: kinds.length, spared: 0 }]);
    const { counts } = await listed();
    const left = counts.waiting + counts.delayed + (counts.prioritized ?? 0);
    expect(left).toBe(kinds.length);
  });

  test('keeps the jobs that producers add while a queue is emptied', async () => {
    const { queue, board, path } = await start();
    const jobs = Array.from({ length: 3_000 }, () => ({ name: 'before', data: {} }));
    await queue.addBulk(jobs);
    const added: string[] = [];
    const from = Date.now() + 1;
    while (Date.now() < from) await new Promise((resolve) => setTimeout(resolve, 1));
    const answer = board.send('PUT', `${path}/empty`);
    let over = false;
    void answer.then(() => (over = true));
    // The request has arrived once jobs vanish.
    while (!over && ((await queue.counts())['waiting'] ?? 0) >= jobs.length);
    while (!over) added.push(await queue.add('after', {}));
    expect(await answer).toMatchObject({ status: 200 });
    const states = await Promise.all(added.map((id) => queue.state(id)));
    expect(states.filter((state) => state !== 'waiting')).toEqual([]);
  });

  test('promotes the delayed jobs that were added before the request', async () => {
    const { queue, board, path } = await start();
    const before = await queue.add('before', {}, { delay: 10 * minute });
    const opts = { delay: 5 * minute, timestamp: Date.now() + 10 * minute };
    const after = await queue.add('after', {}, opts);
    const { status, body } = await board.send('PUT', `${path}/promote`);
    expect([status, body]).toEqual([200, { promoted: 1, skipped: 0 }]);
    expect([await queue.state(before), await queue.state(after)]).toEqual(['waiting', 'delayed']);
  });

  test('retries every job as a single retry would', async () => {
    const { queue, board, path, runJobs } = await start();
    const ids = [await queue.add('one', {}), await queue.add('many', {})];
    await runJobs(true);
    await board.send('PUT', `${path}/${ids[0]}/retry`);
    await board.send('PUT', `${path}/retry/failed`);
    const jobs = await Promise.all(ids.map((id) => queue.described(id)));
    expect(jobs.map(({ attemptsMade }) => attemptsMade)).toEqual([1, 1]);
  });

  if (cell.datastore === 'kv') {
    test('skips jobs whose data is gone, and removes them', async () => {
      const { queue, board, path, listed, runJobs } = await start();
      const { client, key } = queue.redis ?? {};
      const failed = [await queue.add('fails', {}), await queue.add('fails', {})];
      await runJobs(true);
      await client?.del(String(key?.(String(failed[0]))));
      const retried = await board.send('PUT', `${path}/retry/failed`);
      expect(retried.body).toEqual({ retried: 1, skipped: 1 });
      expect((await listed()).counts).toMatchObject({ waiting: 1, failed: 1 });
      expect(keyOf(await board.send('PUT', `${path}/${failed[0]}/retry`))).toBe(
        '404 JOB_NOT_FOUND',
      );

      const later = { delay: 10 * minute };
      const delayed = [await queue.add('later', {}, later), await queue.add('later', {}, later)];
      await client?.del(String(key?.(String(delayed[0]))));
      const promoted = await board.send('PUT', `${path}/promote`);
      expect(promoted.body).toEqual({ promoted: 1, skipped: 1 });
      expect((await listed()).counts).toMatchObject({ waiting: 2, delayed: 1 });

      expect((await board.send('PUT', `${path}/${failed[0]}/clean`)).status).toBe(204);
      expect(keyOf(await board.send('PUT', `${path}/${failed[0]}/clean`))).toBe(
        '404 JOB_NOT_FOUND',
      );
      await board.send('PUT', `${path}/clean/delayed`);
      expect((await listed()).counts).toMatchObject({ failed: 0, delayed: 0 });
    });
  }

  if (cell.library === 'legacy') return;

  /** A board on which the queue of the parent is hidden, read-only, missing or open. */
  const boardOf = (queue: TestQueue, above: TestQueue, kind: string): Promise<ServedBoard> =>
    serveBoard([
      queue.boardQueue(),
      ...(kind === 'missing'
        ? []
        : [
            above.boardQueue({
              ...(kind === 'read-only' && { readOnly: true }),
              ...(kind === 'hidden' && { visibilityGuard: () => false }),
            }),
          ]),
    ]);

  test('does not set a parent running in a queue that the sender may not change', async () => {
    for (const kind of ['hidden', 'read-only', 'missing', 'open']) {
      const { queue } = await start();
      const above = await world().queue(`above-${queue.name}`);
      const old = { timestamp: Date.now() - minute };
      const child = { name: 'child', queue, opts: old };
      const parents: string[] = [];
      for (let index = 0; index < 3; index += 1) {
        const flow = { name: 'parent', queue: above, opts: old, children: [child] };
        parents.push(String(await world().flow?.(flow)));
      }
      const board = await boardOf(queue, above, kind);
      const path = `/api/queues/${queue.name}`;
      const states = () => Promise.all(parents.map((id) => above.state(id)));
      const page = await board.get(`/api/queues?activeQueue=${queue.name}&status=waiting`);
      const shown = page.body.queues.find(({ name }: { name: string }) => name === queue.name);
      const [first] = shown.jobs;
      const single = await board.send('PUT', `${path}/${first.id}/clean`);
      const isOpen = kind === 'open';
      expect([kind, keyOf(single)]).toEqual([
        kind,
        isOpen ? '204 undefined' : '409 JOB_PARENT_PROTECTED',
      ]);
      const released = (await states()).filter((state) => state === 'waiting').length;
      expect([kind, released]).toEqual([kind, isOpen ? 1 : 0]);
      for (const command of ['clean/wait', 'empty']) {
        const { body } = await board.send('PUT', `${path}/${command}`);
        const left = isOpen
          ? { removed: command === 'empty' ? 0 : 2, spared: 0 }
          : { removed: 0, spared: 3 };
        expect([kind, command, body]).toEqual([kind, command, left]);
      }
      if (!isOpen) {
        await queue.pause();
        const { status } = await board.send('PUT', `${path}/obliterate`);
        // On PostgreSQL, the library leaves the parents as they are.
        expect([kind, status]).toEqual([kind, cell.datastore === 'sql' ? 200 : 409]);
      }
      expect([kind, await states()]).toEqual([
        kind,
        parents.map(() => (isOpen ? 'waiting' : 'waiting-children')),
      ]);
      expect(board.errors).toEqual([]);
      await board.close();
    }
  });

  test('removes the parents of a queue with their last children when it is cleaned', async () => {
    const { queue, board, path } = await start();
    const old = { timestamp: Date.now() - minute };
    const child = { name: 'child', queue, opts: old };
    const flow = { name: 'parent', queue, opts: old, children: [child, child] };
    const id = String(await world().flow?.(flow));
    expect((await board.send('PUT', `${path}/clean/wait`)).body).toEqual({ removed: 3, spared: 0 });
    expect(await queue.state(id)).toBe('unknown');
  });
}

for (const cell of cells) suiteOf(cell, reachSuite);
