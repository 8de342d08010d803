/** The errors of failed jobs of pg-boss: against a ledger that workers write, within scopes, and behind formatters. */

import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { type BoardOptions, writeCursor } from '../../../src/board/core/index.ts';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { type Failed, factsOf, kinds, ledgerFacts, walkErrors } from '../ledger/errors.ts';
import { isQuick } from '../../setup/left-to-ci.ts';
import { until } from '../kvq/suite.ts';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import type { Library } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(() => world?.close());

const releases = ['v1', null, 'v2', 7] as const;

/** A database whose workers have failed on many jobs, and the ledger of them. */
async function filled(library: Library, jobs: number): Promise<{ world: World; ledger: Failed[] }> {
  const made = await makeWorld(library, 'pgq_errors');
  world = made;
  const { boss, admin } = made;
  for (const queueName of ['mail', 'orders', 'quiet']) {
    await boss.createQueue(queueName, { retryLimit: 0 });
    const rows = Array.from({ length: jobs }, (_, at) => ({
      data: {
        at,
        kind: at % kinds.length,
        tenant: at % 2 === 0 ? 'ada' : 'bob',
        release: releases[at % releases.length],
      },
      singletonKey: `${at % 2 === 0 ? 'ada' : 'bob'}`,
    }));
    await boss.insert(queueName, rows);
    if (queueName === 'quiet') continue;
    for (;;) {
      const fetched = await boss.fetch<{ kind: number; at: number }>(queueName, { batchSize: 500 });
      if (fetched.length === 0) break;
      for (const { id, data } of fetched) {
        await boss.fail(queueName, id, new Error(kinds[data.kind]?.[0](data.at)));
      }
    }
  }
  const { rows } = await admin.query(
    `select name, id, data, floor(extract(epoch from completed_on) * 1000)::float8 as at from pgboss.job where state = 'failed'`,
  );
  const ledger = rows.map(({ name, id, data, at }): Failed => ({
    queueName: name,
    id,
    error: kinds[data.kind]?.[1] ?? '',
    name: data.tenant,
    release: data.release === null ? null : String(data.release),
    at,
  }));
  expect(ledger).toHaveLength(2 * jobs);
  return { world: made, ledger };
}

async function walkOf(
  world: World,
  pgq: Partial<PgqOptions> = {},
  options: BoardOptions = {},
  query = '',
) {
  const board = await world.board(pgq, options);
  return walkErrors(async (path) => {
    const { status, body, text } = await board.get(path);
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    return body;
  }, query);
}

it.each([newestLibrary, oldestLibrary])(
  'are those of the ledger, of all queues ($name)',
  async (library) => {
    const { world, ledger } = await filled(library, isQuick ? 300 : 1_500);
    const { steps, errors } = await walkOf(world);
    const [step] = steps;
    if (!step) throw new Error('There is no answer.');
    expect(factsOf(errors)).toEqual(ledgerFacts(ledger, step, false));
    expect(steps.reduce((sum, { examined }) => sum + examined, 0)).toBe(ledger.length);
    const times = ledger.map(({ at }) => at).toSorted((a, b) => a - b);
    const middle = times[Math.floor(times.length / 2)] ?? 0;
    for (const [query, fits] of [
      ['queueName=mail', ({ queueName }: Failed) => queueName === 'mail'],
      [`since=${middle}`, ({ at }: Failed) => at >= middle],
      ['name=x', () => false],
      ['queueName=quiet', () => false],
    ] as const) {
      const part = await walkOf(world, {}, {}, query);
      expect(factsOf(part.errors)).toEqual(
        ledgerFacts(ledger.filter(fits), part.steps[0] ?? step, false),
      );
    }
    // The part to search for finds the jobs of the error.
    const board = await world.board();
    for (const { search, queues, example, lastAt } of errors) {
      const { body } = await board.send('POST', '/api/bulk', {
        queueName: 'mail',
        action: 'retry',
        dryRun: true,
        filter: { state: 'failed', error: search },
      });
      const run = async () => (await board.get(`/api/bulk/${String(body['run']?.['id'])}`)).body;
      await until(async () => String((await run())['run']?.['state']) === 'completed');
      expect((await run())['run']?.['matched']).toBe(queues.get('mail'));
      expect(example?.at).toBe(lastAt);
    }
  },
  240_000,
);

it('are within the scope and the queues of the sender', async () => {
  const { world, ledger } = await filled(newestLibrary, 120);
  const scope: PgqOptions['scope'] = () => ({
    type: 'condition',
    path: 'singletonKey',
    operator: 'eq',
    value: 'ada',
  });
  const recorder = {
    getHistory: async () => [],
    getErrors: async () => {
      throw new Error('It must not be asked.');
    },
  };
  const scoped = await walkOf(world, { scope }, { historyProvider: recorder });
  expect(factsOf(scoped.errors)).toEqual(
    ledgerFacts(
      ledger.filter(({ name }) => name === 'ada'),
      scoped.steps[0] ?? { from: 0, bucketMs: 1 },
      false,
    ),
  );
  expect(scoped.steps.at(-1)).not.toHaveProperty('recorder');
  const formatters = { output: () => null };
  const shy = await walkOf(world, { formatters }, { historyProvider: recorder });
  expect(shy.steps.at(-1)).not.toHaveProperty('recorder');
  const asked = await walkOf(world, {}, { historyProvider: recorder });
  expect(asked.steps.at(-1)).toMatchObject({ recorder: 'unavailable' });
  for (const [pgq, options] of [
    [{ visibilityGuard: (_request: unknown, name: string) => name !== 'orders' }, {}],
    [{ queues: ['mail', 'quiet'] }, {}],
    [{}, { permissions: () => ({ allowed: ['*'], queues: { orders: ['queue.read'] } }) }],
  ] as [Partial<PgqOptions>, BoardOptions][]) {
    const part = await walkOf(world, pgq, options);
    expect(part.errors.reduce((sum, { count }) => sum + count, 0)).toBe(120);
    expect(JSON.stringify(part.steps)).not.toContain('orders"');
    const board = await world.board(pgq, options);
    expect([403, 404]).toContain((await board.get('/api/errors?queueName=orders')).status);
  }
});

it('are named as formatters show them, and tell nothing of hidden data', async () => {
  const { world } = await filled(newestLibrary, 24);
  const asked: unknown[] = [];
  const fingerprint = (job: { data: unknown }) => {
    asked.push(job);
    return `${(job.data as { at: number }).at % 3}`;
  };
  const told = await walkOf(world, {}, { fingerprint });
  expect(asked).toHaveLength(48);
  expect(told.errors.map(({ count }) => count)).toEqual([16, 16, 16]);
  const output = (value: unknown) => ({ message: `Hidden of ${typeof value}` });
  const formatted = await walkOf(world, { formatters: { output } }, { fingerprint });
  expect(formatted.errors.map(({ error, count }) => [error, count])).toEqual([
    ['Hidden of object', 48],
  ]);
  expect(JSON.stringify(formatted.steps)).not.toMatch(/Ada|gateway|ECONN/);
  const silent = await walkOf(world, { formatters: { data: () => null } }, { fingerprint });
  expect(silent.errors).toHaveLength(kinds.length);
  expect(silent.errors.every((error) => error.releases.size === 0)).toBe(true);
  expect(asked).toHaveLength(48);
});

it('have odd outputs, and jobs that ran out of time', async () => {
  const { world } = await filled(newestLibrary, 12);
  // Not read: stored, it is as large as it looks.
  const large = randomBytes(90_000).toString('base64');
  const outputs = [
    JSON.stringify({ message: large }),
    null,
    '"text"',
    '7',
    '{}',
    '{"value": {"message": "job timed out"}}',
    '{"value": "told"}',
    '{"message": ""}',
    `{"message": ${JSON.stringify('x'.repeat(100_000))}}`,
    '{"message": {"deep": true}}',
  ];
  const { rows } = await world.admin.query(
    `select id from pgboss.job where state = 'failed' limit 10`,
  );
  for (const [at, text] of outputs.entries()) {
    await world.admin.query('update pgboss.job set output = $2::jsonb, data = $3 where id = $1', [
      rows[at]?.id,
      text,
      { release: 'y'.repeat(3_000) },
    ]);
  }
  const { errors } = await walkOf(world);
  expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(24);
  const named = errors.map(({ error }) => error);
  expect(named).toEqual(expect.arrayContaining(['job timed out', 'told', '']));
  expect(JSON.stringify(errors.map(({ example }) => example))).not.toContain(large.slice(0, 100));
  const lengths = errors.flatMap((error) => [...error.releases.keys()].map(({ length }) => length));
  expect(Math.max(...lengths)).toBe(100);
  const board = await world.board();
  // Their messages are found wherever the output has them, by a listing and a run.
  for (const [text, count] of [
    ['job timed out', 1],
    ['told', 1],
    ['no such error', 0],
  ] as const) {
    const found = await board.get(`/api/pgq/search?state=failed&error=${encodeURIComponent(text)}`);
    expect([text, found.body['jobs']]).toEqual([text, expect.objectContaining({ length: count })]);
  }
  const mixed = 'error=timed&output.value.message=job timed out&output.value=7&output.message=7';
  expect((await board.get(`/api/pgq/search?${mixed}`)).body['jobs']).toEqual([]);
  const grouped = 'error=timed&filter[$or][0][priority][eq]=0';
  expect((await board.get(`/api/pgq/search?${grouped}`)).status).toBe(400);
  const late = await board.get('/api/pgq/search?error=timed');
  const queueName = String(late.body['jobs']?.[0]?.['queueName']);
  const { body } = await board.send('POST', '/api/bulk', {
    queueName,
    action: 'retry',
    dryRun: true,
    filter: { state: 'failed', error: 'job timed out' },
  });
  const run = async () => (await board.get(`/api/bulk/${String(body['run']?.['id'])}`)).body;
  await until(async () => String((await run())['run']?.['state']) === 'completed');
  expect((await run())['run']?.['matched']).toBe(1);
  const forged = (after: string) =>
    writeCursor(JSON.stringify(['errors', {}]), { queue: '', after });
  for (const after of ['9999999999999999 0', '1 -1', '1 9999999999', '1 0 or 1']) {
    const { status } = await board.get(`/api/errors?cursor=${forged(after)}`);
    expect([after, status]).toEqual([after, 400]);
  }
  for (const after of ['8640000000000000 0', '1 999999999', '0 ']) {
    const { status } = await board.get(`/api/errors?cursor=${forged(after)}`);
    expect([after, status]).toEqual([after, 200]);
  }
  for (const cursor of ['x', 'W10', Buffer.from('[1,"","1 x","y"]').toString('base64url')]) {
    expect((await board.get(`/api/errors?cursor=${cursor}`)).status).toBe(400);
  }
});
