/** Links from jobs to their traces, on both engines: addresses of http and https alone, and none where data is hidden. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoard } from '../../src/board/index.ts';
import type { TracedJob } from '../../src/board/core/index.ts';
import type { CellWorld, TestQueue } from './kvq/cell.ts';
import { cells } from './kvq/cells.ts';
import { serveBoard } from './kvq/http-board.ts';
import { newestLibrary } from './pgq/libraries.ts';
import { makeWorld } from './pgq/world.ts';
import type { World } from './pgq/world.ts';

/** The address that the data names. */
const traceUrl = (job: TracedJob): string => {
  const { href } = job.data as { href?: string };
  if (href === undefined) throw new Error('It has no trace.');
  return href.replace('{job}', `${job.queueName}/${job.id}`);
};

const addresses = [
  ['https://traces.example.com/{job}', true],
  ['http://traces.example.com/?id=1', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['/relative', false],
  ['//traces.example.com/1', false],
  [undefined, false],
] as const;

it('is checked at boot', () => {
  const options = { traceUrl: 'https://traces.example.com' };
  expect(() => createBoard({ queues: [], options } as never)).toThrow(
    /"traceUrl" must be a function/,
  );
});

describe('of BullMQ', () => {
  let world: CellWorld;
  let queue: TestQueue;
  beforeAll(async () => {
    const opened = await cells[0]?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    queue = await world.queue('traced');
  });
  afterAll(() => world?.close());

  it.each(addresses)('%s', async (href, isShown) => {
    const id = await queue.add('job', { href });
    const board = await serveBoard([queue.boardQueue()], { traceUrl });
    const { body } = await board.get(`/api/queues/traced/${id}`);
    expect(body.job.traceUrl).toBe(isShown ? href?.replace('{job}', `traced/${id}`) : undefined);
    expect(body.job.problem?.options.fields).toEqual(isShown ? undefined : ['traceUrl']);
    await board.close();
    const hidden = queue.boardQueue({ formatters: { data: () => '(hidden)' } });
    const shy = await serveBoard([hidden], { traceUrl });
    const { body: closed } = await shy.get(`/api/queues/traced/${id}`);
    expect(closed.job).not.toHaveProperty('traceUrl');
    expect(JSON.stringify(closed)).not.toContain('traces.example.com');
    await shy.close();
  });
});

describe('of pg-boss', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'trace_url');
    await world.boss.createQueue('traced');
  });
  afterAll(() => world?.close());

  it.each(addresses)('%s', async (href, isShown) => {
    const id = await world.boss.send('traced', { ...(href !== undefined && { href }) });
    const path = `/api/pgq/queues/traced/jobs/${id}`;
    const board = await world.board({}, { traceUrl });
    const { job } = (await board.get(path)).body;
    expect(job?.['traceUrl']).toBe(isShown ? href?.replace('{job}', `traced/${id}`) : undefined);
    const shy = await world.board({ formatters: { data: () => '(hidden)' } }, { traceUrl });
    expect((await shy.get(path)).text).not.toContain('traceUrl');
    expect((await shy.get(path)).text).not.toContain('traces.example.com');
  });
});
