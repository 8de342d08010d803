/** Jobs added by clients: anything that would harm a queue, a worker or the job of another user is refused. */

import { expect } from 'vitest';
import { serveBoard } from './http-board.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function addingSuite({ current, world, start, test }: Suite): void {
  test('refuses ids that are reserved keys of the libraries', async () => {
    const { queue, board, path, listed } = await start();
    const first = await queue.add('first', {});
    const names = ['failed', 'completed', 'wait', 'delayed', 'meta', 'id', 'repeat', 'limiter'];
    const ids = [...names, 'repeat:x:1', 'metrics:completed:data', `a:${first}:lock`, '-1', '12'];
    for (const jobId of ids) {
      const answer = await board.send('POST', `${path}/add`, { name: 'odd', options: { jobId } });
      expect([jobId, keyOf(answer)]).toEqual([jobId, '400 INVALID_REQUEST_BODY']);
      expect(answer.body.error.options).toEqual({ field: 'options.jobId' });
    }
    const long = { jobId: 'ü'.repeat(501) };
    const answer = await board.send('POST', `${path}/add`, { options: long });
    expect(answer.body.error.options).toEqual({ field: 'options.jobId' });
    expect(await listed()).toMatchObject({ counts: { waiting: 1 } });
    expect(await listed()).not.toHaveProperty('problem');
  });

  test('returns the existing job with that id', async () => {
    const { board, path, listed } = await start();
    const add = (data: unknown) =>
      board.send('POST', `${path}/add`, { name: 'same', data, options: { jobId: 'same one' } });
    expect((await add({ first: true })).body).toMatchObject({ job: { id: 'same one' } });
    const again = await Promise.all([add({ second: true }), add({ second: true })]);
    for (const { status, body } of again) {
      expect([status, body.job]).toMatchObject([200, { id: 'same one', data: { first: true } }]);
    }
    expect((await listed()).counts.waiting).toBe(1);
  });

  test('refuses options on which a worker would fail', async () => {
    const { board, path, listed } = await start();
    const odd: readonly [object, string][] = [
      [{ removeOnComplete: 3e9 }, 'removeOnComplete'],
      [{ removeOnComplete: { count: 1.5 } }, 'removeOnComplete'],
      [{ removeOnComplete: { age: 1e300 } }, 'removeOnComplete'],
      [{ removeOnFail: { age: 1.5 } }, 'removeOnFail'],
      [{ removeOnFail: { count: 3e9 } }, 'removeOnFail'],
      [{ backoff: 1.5 }, 'backoff'],
      [{ backoff: { type: 'fixed', delay: -1 } }, 'backoff'],
      [{ timeout: 1e12 }, 'timeout'],
      [{ repeatJobKey: 'somebody’s' }, 'repeatJobKey'],
      [{ repeat: { every: 1_000, key: 'x' } }, 'repeat.key'],
      [{ deduplication: { id: 'x', ttl: 0.5 } }, 'deduplication.ttl'],
      [{ deduplication: { id: 'x'.repeat(1_001) } }, 'deduplication.id'],
    ];
    for (const [options, name] of odd) {
      const answer = await board.send('POST', `${path}/add`, { name: 'odd', options });
      expect([options, keyOf(answer)]).toEqual([options, '400 INVALID_REQUEST_BODY']);
      expect(answer.body.error.options.field).toMatch(new RegExp(`^options\\.${name}`));
    }
    const kept = { removeOnComplete: { age: 3_600, count: 5 }, removeOnFail: -1, attempts: 3 };
    const fine = { ...kept, backoff: { type: 'exponential', delay: 100 }, timeout: 5_000 };
    expect((await board.send('POST', `${path}/add`, { options: fine })).status).toBe(200);
    expect((await listed()).counts.waiting).toBe(1);
  });

  test('applies valid options: LIFO or FIFO, a priority, a time', async () => {
    const { queue, board, path, listed } = await start();
    const add = async (name: string, options: object) =>
      (await board.send('POST', `${path}/add`, { name, options })).body;
    for (const name of ['one', 'two']) await add(name, {});
    await add('before them', { lifo: true });
    const later = await add('later', { delay: 3_600_000, attempts: 4, custom: [1] });
    expect(later).toMatchObject({ status: 'delayed', job: { opts: { attempts: 4 } } });
    const urgent = await add('urgent', { priority: 2 });
    expect(urgent).toMatchObject({ status: current ? 'prioritized' : 'waiting' });
    expect((await listed()).counts).toMatchObject({ delayed: 1, waiting: current ? 3 : 4 });
    const order: string[] = [];
    const stop = await queue.work(async ({ name }) => order.push(name));
    await expect.poll(() => order.length).toBe(4);
    await stop();
    expect(order.indexOf('before them')).toBeLessThan(order.indexOf('one'));
    expect(order.indexOf('one')).toBeLessThan(order.indexOf('two'));
  });

  test('adds to a paused queue without starting anything', async () => {
    const { queue, board, path } = await start();
    const begun: string[] = [];
    const stop = await queue.work(async ({ id }) => begun.push(id));
    const answers = await Promise.all([
      board.send('PUT', `${path}/pause`),
      ...Array.from({ length: 20 }, () => board.send('POST', `${path}/add`, { name: 'now' })),
      board.send('PUT', '/api/queues/pause'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const late = await board.send('POST', `${path}/add`, { name: 'late' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(begun).not.toContain(late.body.job.id);
    await board.send('PUT', `${path}/resume`);
    await expect.poll(() => begun.length).toBe(21);
    await stop();
    expect(new Set(begun).size).toBe(21);
  });

  if (!current) return;

  test('adds children only to parents that the sender may change', async () => {
    const { queue, board, path } = await start();
    const hidden = await world().queue(`hidden-${queue.name}`);
    const locked = await world().queue(`locked-${queue.name}`);
    const stages = await serveBoard([
      queue.boardQueue(),
      hidden.boardQueue({ visibilityGuard: () => false }),
      locked.boardQueue({ readOnlyMode: true }),
    ]);
    const child = (of: typeof queue, id: string) => {
      const parent = { id, queue: of.boardQueue().driver.store.qualifiedName };
      return stages.send('POST', `${path}/add`, { name: 'child', options: { parent } });
    };
    const [open, secret, closed] = [
      await queue.add('parent', {}),
      await hidden.add('parent', {}),
      await locked.add('parent', {}),
    ];
    expect((await child(queue, open)).status).toBe(200);
    const missing = await child(queue, 'nobody');
    expect(keyOf(missing)).toBe('400 INVALID_REQUEST_BODY');
    expect(await child(hidden, secret)).toMatchObject({ status: 400, body: missing.body });
    expect(await child(hidden, 'nobody')).toMatchObject({ status: 400, body: missing.body });
    expect(keyOf(await child(locked, closed))).toBe('405 QUEUE_READ_ONLY');
    expect(keyOf(await child(queue, 'meta'))).toBe('400 INVALID_REQUEST_BODY');
    expect(stages.errors).toEqual([]);
    expect((await board.get(`${path}/${open}/flow`)).body.flowRoot.children).toHaveLength(1);
    await stages.close();
  });

  test('removes a job with its children when all of them may be removed', async () => {
    const { queue, path } = await start();
    const other = await world().queue(`others-${queue.name}`);
    const board = await serveBoard([
      queue.boardQueue(),
      other.boardQueue({ visibilityGuard: () => true }),
    ]);
    const children = [{ name: 'leaf', queue: other }];
    const id = String(await world().flow?.({ name: 'root', queue, children }));
    expect((await board.send('PUT', `${path}/${id}/clean`)).status).toBe(204);
    expect((await other.counts())['waiting']).toBe(0);
    await board.close();
  });

  test('removes no children from queues that the sender may not change', async () => {
    const { queue, path } = await start();
    const closed = await world().queue(`closed-${queue.name}`);
    const parent = { name: 'parent', queue, children: [{ name: 'child', queue: closed }] };
    for (const options of [{ readOnlyMode: true }, { visibilityGuard: () => false }]) {
      const stages = await serveBoard([queue.boardQueue(), closed.boardQueue(options)]);
      const id = String(await world().flow?.({ name: 'root', queue, children: [parent] }));
      for (const route of ['clean', 'remove-unprocessed-children']) {
        const answer = await stages.send('PUT', `${path}/${id}/${route}`);
        expect([route, keyOf(answer)]).toEqual([route, '405 QUEUE_READ_ONLY']);
      }
      expect(await queue.state(id)).toBe('waiting-children');
      await stages.close();
    }
    expect((await closed.counts())['waiting']).toBe(2);
  });
}

for (const cell of cells) suiteOf(cell, addingSuite);
