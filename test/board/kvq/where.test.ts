/** Filters as text over jobs of every library: the same jobs of each, and nothing of what is closed or hidden. */

import { expect } from 'vitest';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { cells } from './cells.ts';
import { type Answer, type ServedBoard, serveBoard } from './http-board.ts';
import { suiteOf, until } from './suite.ts';
import type { Suite } from './suite.ts';

const idsOf = ({ body }: Answer): string[] =>
  body.jobs.map(({ job }: { job: { id: string } }) => job.id);

/** All jobs that a filter finds, page by page, by their names. */
async function found(
  board: ServedBoard,
  path: string,
  where: string,
  more: Record<string, string> = {},
): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: URLSearchParams = new URLSearchParams({
      where,
      limit: '3',
      ...more,
      ...(cursor !== null && { cursor }),
    });
    const answer: Answer = await board.get(`${path}/search?${query}`);
    expect([where, answer.status, answer.body]).toEqual([where, 200, expect.anything()]);
    names.push(...answer.body.jobs.map(({ job }: { job: { name: string } }) => job.name));
    cursor = answer.body.nextCursor;
  } while (cursor !== null);
  return names.toSorted();
}

async function served(
  queues: readonly BoardQueue[],
  run: (board: ServedBoard) => Promise<void>,
): Promise<void> {
  const board = await serveBoard(queues);
  try {
    await run(board);
    expect(board.errors).toEqual([]);
  } finally {
    await board.close();
  }
}

async function counted(board: ServedBoard, body: object): Promise<{ matched: number }> {
  let { run } = (await board.send('POST', '/api/bulk', body)).body;
  await until(async () => {
    ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
    return run.state !== 'running';
  });
  return run;
}

function whereSuite({ current, world, start, test }: Suite): void {
  test('finds the jobs that a filter as text means', async () => {
    const { queue, board, path } = await start();
    const stop = await queue.work(async (job) => {
      const { fails } = job.data as { fails?: string };
      if (fails) throw new Error(fails);
    });
    await queue.add('one', { amount: 42, fails: 'Gateway timeout' });
    await queue.add('two', { amount: '42', tags: { first: 'x' } });
    await queue.add('three', { amount: 7.5, fails: 'no route' });
    await queue.add('slow', { amount: 100 });
    await until(async () => {
      const { completed = 0, failed = 0 } = await queue.counts();
      return completed + failed === 4;
    });
    await stop();
    const later = await queue.add('later', { amount: null }, { delay: 600_000 });
    for (const [where, names] of [
      ['name = one or name = two', ['one', 'two']],
      ['not (name = one or name = two)', ['later', 'slow', 'three']],
      ['name in (one, ONE) or name ~ THR', ['one', 'three']],
      ['error ~ gateway', ['one']],
      ['not error ~ gateway', ['three']],
      ['error is null', ['later', 'slow', 'two']],
      ['state = delayed or error = "no route"', ['later', 'three']],
      ['failed < 1h', ['one', 'three']],
      ['failed < 1h and not data.amount >= 8', ['three']],
      ['failed < 1h or completed < 1h', ['one', 'slow', 'three', 'two']],
      ['completed > 1h', []],
      ['finished >= today - 1d', ['one', 'slow', 'three', 'two']],
      ['finished is null', ['later']],
      ['processed < 1h and finished < 1h', ['one', 'slow', 'three', 'two']],
      ['added > 1h', []],
      ['not added > 1h', ['later', 'one', 'slow', 'three', 'two']],
      ['attempts >= 1 and failed is not null', ['one', 'three']],
      // Bull counts the attempts that have failed alone.
      ['attempts = 0 and finished is null', ['later']],
      ['data.amount = 42', ['one', 'two']],
      ['data.amount != 42', ['slow', 'three']],
      ['not data.amount = 42', ['slow', 'three']],
      ['data.amount >= 42', ['one', 'slow']],
      ['data.amount in (42, 7.50)', ['one', 'three', 'two']],
      ['data.amount between 5 and 50 or data.tags.first = x', ['one', 'three', 'two']],
      ['data.amount is null', ['later']],
      ['data.tags is null', ['later', 'one', 'slow', 'three', 'two']],
      ['data.fails ~ GATE', ['one']],
      ['data.fails > m', ['three']],
      [`id = ${later} or id = none`, ['later']],
      [`not id = ${later} and priority = 0`, ['one', 'slow', 'three', 'two']],
      ['worker = nobody', []],
    ] as const) {
      expect([where, await found(board, path, where)]).toEqual([where, names]);
    }
    const { jobs } = (await board.get(`${path}/search?where=finished+is+not+null`)).body;
    const lengths = jobs.map(({ job }: { job: { finishedOn: number; processedOn: number } }) => {
      return job.finishedOn - job.processedOn;
    });
    for (const length of lengths) {
      for (const [operator, meets] of [
        ['>=', (at: number) => at >= length],
        ['<', (at: number) => at < length],
      ] as const) {
        const where = `duration ${operator} ${length}ms`;
        const names = await found(board, path, where);
        expect([where, names.length]).toEqual([where, lengths.filter(meets).length]);
      }
    }
    expect(await found(board, path, 'not name = x', { status: 'failed' })).toEqual([
      'one',
      'three',
    ]);
    expect(await found(board, path, 'not name = x', { path: 'fails' })).toEqual(['one', 'three']);
    expect(await found(board, '/api', 'error ~ gateway or state = delayed')).toEqual([
      'later',
      'one',
    ]);
    const run = {
      queueName: queue.name,
      action: 'remove',
      filter: { status: 'failed', where: 'error ~ gateway or not data.amount = 42' },
      dryRun: true,
    };
    expect(await counted(board, run)).toMatchObject({ matched: 2 });
    const fewer = { ...run.filter, where: 'failed < 1h and not error ~ gateway' };
    expect(await counted(board, { ...run, filter: fewer, dryRun: false })).toMatchObject({
      matched: 1,
    });
    expect(await queue.names('failed')).toEqual(['one']);
  });

  test('refuses a text that is not a filter, and cursors of another one', async () => {
    const { queue, board, path } = await start();
    for (let index = 0; index < 4; index += 1) await queue.add('mail', { index });
    for (const where of [
      'name =',
      '(name = a',
      'nothing = 1',
      'output.a = 1',
      'added > soon',
      'data.$1 = 4',
      'data.a--b = 1',
    ]) {
      const query = new URLSearchParams({ where });
      const answer = await board.get(`${path}/search?${query}`);
      expect([where, answer.status, answer.body]).toEqual([
        where,
        400,
        {
          error: { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: 'where' } },
          code: 'INVALID_REQUEST',
          details: expect.stringMatching(/\(characters \d+ to \d+\)$/),
        },
      ]);
    }
    const search = (where: string, cursor = '') =>
      board.get(
        `${path}/search?${new URLSearchParams({ where, limit: '2', ...(cursor && { cursor }) })}`,
      );
    const { nextCursor } = (await search('name = mail or added < 1h')).body;
    expect(idsOf(await search('name = mail or added < 1h', nextCursor))).toHaveLength(2);
    expect((await search('name = mail', nextCursor)).status).toBe(400);
    expect((await search('name = mail', 'x')).status).toBe(400);
  });

  test('asks nothing of parts that a formatter replaces', async () => {
    const { queue, path } = await start();
    const open = await world().queue(`open-${queue.name}`);
    await queue.add('mail', { card: 1 });
    await open.add('other', { card: 1 });
    const hiding = queue
      .boardQueue()
      .setFormatter('data', () => '(hidden)')
      .setFormatter('name', () => '(hidden)');
    await served([hiding, open.boardQueue()], async (board) => {
      for (const [where, field] of [
        ['data.card = 1', 'data'],
        ['state = failed or not (attempts > 1 and data.card = 2)', 'data'],
        ['data.card is null or attempts = 0', 'data'],
        ['not name = x', 'name'],
      ]) {
        const query = new URLSearchParams({ where: String(where) });
        const error = { key: 'ERRORS.SEARCH_FIELD_CLOSED', options: { field } };
        const answer = await board.get(`${path}/search?${query}`);
        expect([where, answer.status, answer.body.error]).toEqual([where, 400, error]);
        const filter = { status: 'waiting', where: String(where) };
        const run = { queueName: queue.name, action: 'remove', filter, dryRun: true };
        expect((await board.send('POST', '/api/bulk', run)).body.error).toEqual(error);
        const everywhere = await board.get(`/api/search?${query}`);
        expect(everywhere.body.problems).toEqual([{ queueName: queue.name, problem: error }]);
        expect(
          everywhere.body.jobs.every((each: { queueName: string }) => each.queueName === open.name),
        ).toBe(true);
      }
      expect(await found(board, path, 'not state = failed')).toEqual(['(hidden)']);
    });
  });

  if (!current) return;

  test('compares a reason as the sender sees it', async () => {
    const { queue, path } = await start();
    const hidden = await world().queue(`${queue.name}-hidden`);
    const below = { name: 'below', queue: hidden, opts: { failParentOnFailure: true } };
    for (const name of ['first', 'second']) {
      await world().flow?.({ name, queue, children: [below] });
    }
    const stop = [
      await hidden.work(async () => {
        throw new Error('broken');
      }),
      await queue.work(async () => 1),
    ];
    await until(async () => (await queue.names('failed')).length === 2);
    await Promise.all(stop.map((end) => end()));
    const asked = [
      ['error ~ -hidden', []],
      ['not error ~ -hidden', ['first', 'second']],
      ['name = first and not error ~ -hidden or error = "child failed"', ['first', 'second']],
      ['not (error ~ -hidden or name = first)', ['second']],
      ['error !~ child', []],
    ] as const;
    await served(
      [queue.boardQueue(), hidden.boardQueue({ visibilityGuard: () => false })],
      async (board) => {
        for (const [where, names] of asked) {
          expect([where, await found(board, path, where)]).toEqual([where, names]);
          const filter = { status: 'failed', where };
          const run = { queueName: queue.name, action: 'remove', filter, dryRun: true };
          expect([where, await counted(board, run)]).toMatchObject([
            where,
            { matched: names.length },
          ]);
        }
      },
    );
    await served([queue.boardQueue(), hidden.boardQueue()], async (board) => {
      expect(await found(board, path, 'error ~ -hidden')).toEqual(['first', 'second']);
      expect(await found(board, path, 'not error ~ -hidden')).toEqual([]);
    });
  });
}

for (const cell of cells) suiteOf(cell, whereSuite);
