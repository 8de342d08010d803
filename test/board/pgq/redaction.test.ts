/** Formatters of the host: what they replace is in no answer, is closed to search, and survives an edit. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let id: string;
let plainId: string;

const secret = '4111';
const data = { card: secret, n: 1, list: [{ card: secret }, 2] };
const failed = (...fields: string[]) => ({
  key: 'ERRORS.FORMATTER_FAILED',
  options: { fields },
});

/** Changes what it receives, as formatters of users do. */
const hideCards = (value: unknown): unknown => {
  const parts = value as { card?: string; list?: unknown[] };
  if (parts?.card !== undefined) parts.card = '(hidden)';
  for (const item of parts?.list ?? []) hideCards(item);
  return value;
};
const hiding: Partial<PgqOptions> = {
  formatters: { data: hideCards, output: () => '(hidden)' },
};
const job = `/api/pgq/queues/cards/jobs`;
const schedules = '/api/pgq/queues/cards/schedules';

const storedData = async (key: string): Promise<unknown> => {
  const { rows } = await world.admin.query(
    `select data from pgboss.schedule where name = 'cards' and key = $1`,
    [key],
  );
  return rows[0]?.data;
};

/** The schedule of a key as the board shows it. */
const shownSchedule = async (board: BoardUnderTest, key: string): Promise<Answer['body']> => {
  const { body } = await board.get('/api/pgq/schedules?queueName=cards');
  const all = body['schedules'] as unknown as Answer['body'][];
  return all.find((one) => String(one['key']) === key) as Answer['body'];
};

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_redaction');
  for (const queue of ['cards', 'plain', 'none']) await world.boss.createQueue(queue);
  id = (await world.boss.send('cards', data, { retryLimit: 0 })) as string;
  plainId = (await world.boss.send('cards', { n: 2 })) as string;
  await world.admin.query(
    `update pgboss.job set state = 'failed', output = $2, started_on = now(), completed_on = now()
     where id = $1`,
    [id, { message: `card ${secret} refused` }],
  );
  await world.boss.schedule('cards', '0 3 * * *', data, { key: 'kept', tz: 'UTC' });
});
afterAll(() => world?.close());

it('replaces data and output in every answer that has them', async () => {
  const owners: unknown[] = [];
  const board = await world.board({
    formatters: {
      data: (value, owner) => {
        owners.push(owner);
        return hideCards(value);
      },
      output: () => undefined,
    },
  });
  const one = await board.get(`${job}/${id}`);
  expect(one.body['job']).toMatchObject({
    data: { card: '(hidden)', n: 1, list: [{ card: '(hidden)' }, 2] },
    output: null,
  });
  expect(one.body['job']).not.toHaveProperty('problem');
  const answers = [
    one,
    await board.get(job),
    await board.get('/api/pgq/jobs'),
    await board.get('/api/pgq/search?state=failed'),
    await board.get(`/api/pgq/jobs/${id}`),
    await board.get(`${job}/${id}/dependencies`),
    await board.get('/api/pgq/schedules'),
    await board.get('/api/pgq/schedules?queueName=cards'),
    await board.send('PUT', schedules, { key: 'new', cron: '0 4 * * *', data }),
  ];
  for (const { status, text } of answers) {
    expect([status, text]).toEqual([200, expect.not.stringContaining(secret)]);
  }
  expect(await storedData('new')).toEqual(data);
  expect(owners).toContainEqual({ queueName: 'cards', jobId: id });
  expect(owners).toContainEqual({ queueName: 'cards', scheduleKey: 'kept' });
  // Without formatters, both are shown.
  const open = await (await world.board()).get(`${job}/${id}`);
  expect(open.body['job']).toMatchObject({ data, output: { message: `card ${secret} refused` } });
});

it('lists the beginnings of data and reason, and none that a formatter replaces', async () => {
  const long = (await world.boss.send('plain', { text: 'é'.repeat(500) })) as string;
  // More than 64 kB as it is stored, which compresses nothing of it.
  const digits = Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2)).join('');
  await world.boss.send('plain', { digits });
  const jobsOf = async (board: BoardUnderTest, path: string) =>
    (await board.get(path)).body['jobs'] as unknown as { id: string; brief?: object }[];
  const board = await world.board();
  const [failedJob] = await jobsOf(board, `${job}?brief=1&state=failed`);
  expect(failedJob?.brief).toEqual({
    data: expect.stringContaining('"card"'),
    reason: `card ${secret} refused`,
  });
  const plain = await jobsOf(board, '/api/pgq/search?brief=1&queues=plain');
  expect(plain.map(({ id: one, brief }) => [one === long, brief])).toEqual([
    [false, {}],
    [true, { data: expect.stringMatching(/^.{200}$/u) }],
  ]);
  expect((await jobsOf(board, job))[0]).not.toHaveProperty('brief');
  const hidden = await jobsOf(await world.board(hiding), `${job}?brief=1`);
  expect(hidden.map(({ brief }) => brief)).toEqual(hidden.map(() => ({})));
});

it('marks the job or schedule whose formatter fails, and nothing else', async () => {
  const fails = [
    () => {
      throw new Error(`secret ${secret}`);
    },
    () => Promise.resolve(1),
    () => 1n,
  ];
  for (const fail of fails) {
    const isBad = (value: unknown) => JSON.stringify(value)?.includes(secret);
    const format = (value: unknown): unknown => (isBad(value) ? fail() : value);
    const board = await world.board({ formatters: { data: format, output: format } });
    const bad = await board.get(`${job}/${id}`);
    expect(bad.body['job']).toMatchObject({
      data: null,
      output: null,
      problem: failed('data', 'output'),
    });
    const good = await board.get(`${job}/${plainId}`);
    expect(good.body['job']).toMatchObject({ data: { n: 2 } });
    expect(good.body['job']).not.toHaveProperty('problem');
    expect(await shownSchedule(board, 'kept')).toMatchObject({
      data: null,
      problem: failed('data'),
    });
    expect((await board.get('/api/pgq/schedules')).text).not.toContain(secret);
    expect(bad.text).not.toContain(secret);
    // The first failure of each part is logged, not every one.
    expect(board.log).toHaveLength(2);
  }
});

it('closes what a formatter replaces to search, unless the host opens it', async () => {
  const board = await world.board(hiding);
  const ids = ({ body }: Answer) =>
    (body['jobs'] as unknown as { id: string }[]).map((found) => found.id);
  const paths = [
    ['data.card=4111', 'data'],
    ['data.n=1', 'data'],
    ['filter[data.card][like]=4', 'data'],
    ['filter[data.card][isNull]=true', 'data'],
    ['filter[output.message][like]=4111', 'output'],
    ['output.message=zzz', 'output'],
    ['error=4111', 'error'],
    ['state=failed&queues=none&error=z', 'error'],
  ] as const;
  for (const [query, field] of paths) {
    const answer = await board.get(`/api/pgq/search?${query}`);
    expect([query, answer.status, answer.body]).toEqual([
      query,
      400,
      { error: { key: 'ERRORS.SEARCH_FIELD_CLOSED', options: { field } }, code: 'INVALID_REQUEST' },
    ]);
  }
  expect(ids(await board.get('/api/pgq/search?state=failed'))).toEqual([id]);
  const open = await world.board({ ...hiding, searchable: ['data'] });
  expect(ids(await open.get('/api/pgq/search?data.card="4111"'))).toEqual([id]);
  expect((await open.get('/api/pgq/search?error=4111')).status).toBe(400);
  const half = await world.board({ formatters: { data: hideCards } });
  expect(ids(await half.get('/api/pgq/search?error=4111'))).toEqual([id]);
  expect((await half.get('/api/pgq/search?data.card=4111')).status).toBe(400);
});

it('gives versions that do not tell the hidden values', async () => {
  const board = await world.board(hiding);
  const versionOf = async (on: BoardUnderTest) =>
    (await on.get(`${job}/${id}`)).body['version'] as unknown as string;
  const versionOfSchedule = async () => (await shownSchedule(board, 'kept'))['version'];
  const before = [await versionOf(board), await versionOfSchedule()];
  const change = async (card: string) => {
    const changed = { ...data, card };
    await world.admin.query('update pgboss.job set data = $2 where id = $1', [id, changed]);
    await world.admin.query(`update pgboss.schedule set data = $1 where key = 'kept'`, [changed]);
  };
  await change('4242');
  expect([await versionOf(board), await versionOfSchedule()]).toEqual(before);
  // The shown part of a value counts.
  await world.admin.query(`update pgboss.job set data = data || '{"n":7}' where id = $1`, [id]);
  expect(await versionOf(board)).not.toBe(before[0]);
  await change(secret);
  const version = before[0];
  const path = `${job}/${id}/retry`;
  expect((await board.send('PUT', path, { ifUnchanged: 'x' })).status).toBe(409);
  expect((await board.send('PUT', path, { ifUnchanged: version })).status).toBe(200);
});

it('gives versions that name no other queue, and that count in every instance', async () => {
  const [board, other] = [await world.board(hiding), await world.board(hiding)];
  const versionOf = async () =>
    (await board.get(`${job}/${plainId}`)).body['version'] as unknown as string;
  const before = await versionOf();
  await world.admin.query(`update pgboss.job set dead_letter = 'plain' where id = $1`, [plainId]);
  expect(await versionOf()).toBe(before);
  const path = `${job}/${plainId}`;
  expect((await other.send('PUT', `${path}/cancel`, { ifUnchanged: before })).status).toBe(200);
  expect((await other.send('PUT', `${path}/resume`, { ifUnchanged: before })).status).toBe(409);
  const after = await versionOf();
  expect((await other.send('PUT', `${path}/resume`, { ifUnchanged: after })).status).toBe(200);
});

it('keeps the stored data of a schedule that is saved as it was shown', async () => {
  const board = await world.board(hiding);
  const save = async (cron: string, value: unknown, key = 'kept') => {
    const { version } = await shownSchedule(board, key);
    const body = { key, cron, data: value, ifUnchanged: version };
    const answer = await board.send('PUT', schedules, body);
    expect(answer.text).not.toContain(secret);
    return answer.status;
  };
  const shown = (await shownSchedule(board, 'kept'))['data'] as unknown as typeof data;
  expect(shown.card).toBe('(hidden)');
  expect(await save('0 5 * * *', shown)).toBe(200);
  expect(await storedData('kept')).toEqual(data);
  expect(await shownSchedule(board, 'kept')).toMatchObject({ expression: '0 5 * * *' });
  // A change beside a hidden place, and one of a hidden place.
  expect(await save('0 5 * * *', { ...shown, n: 2, more: true })).toBe(200);
  expect(await storedData('kept')).toEqual({ ...data, n: 2, more: true });
  expect(await save('0 5 * * *', { ...shown, list: [{ card: '5' }, 3] })).toBe(200);
  expect(await storedData('kept')).toEqual({ ...data, list: [{ card: '5' }, 3] });
  // Which item of a list was left out cannot be known.
  expect(await save('0 5 * * *', { ...shown, list: [{ card: '(hidden)' }] })).toBe(400);
  expect(await storedData('kept')).toEqual({ ...data, list: [{ card: '5' }, 3] });
  expect(await save('0 5 * * *', { n: 3 })).toBe(200);
  expect(await storedData('kept')).toEqual({ n: 3 });

  // A formatter that fails, or replaces or drops members.
  const formats: readonly ((value: unknown) => unknown)[] = [
    () => {
      throw new Error('broken');
    },
    () => undefined,
    () => '(hidden)',
    (value) => ({ n: (value as { n: number }).n, added: true }),
  ];
  for (const [index, format] of formats.entries()) {
    await world.boss.schedule('cards', '0 3 * * *', data, { key: 'kept', tz: 'UTC' });
    const formatted = await world.board({ formatters: { data: format } });
    const { data: seen } = await shownSchedule(formatted, 'kept');
    const body = { key: 'kept', cron: '0 6 * * *', data: seen };
    expect([index, (await formatted.send('PUT', schedules, body)).status]).toEqual([index, 200]);
    expect([index, await storedData('kept')]).toEqual([index, data]);
  }
});
