/** The options of jobs and schedules: all of the library's, kept by an edit, and no others. */

import type { ScheduleOptions, SendOptions } from 'pg-boss-12.38';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PgqScheduleOptions, SendPgqJobOptions } from '../../../src/board/contract/resources.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

/** Every option of the library's types, with a value; a new option of the library does not compile without one. */
const sent: { readonly [Name in Exclude<keyof SendOptions, 'db'>]-?: SendOptions[Name] } = {
  id: '00000000-0000-4000-8000-00000000000a',
  priority: 3,
  startAfter: '2040-01-02T03:04:05.000Z',
  singletonKey: 'key',
  singletonSeconds: 60,
  singletonNextSlot: true,
  group: { id: 'group', tier: 'tier' },
  deadLetter: 'dead',
  expireInSeconds: 71,
  retentionSeconds: 72_000,
  deleteAfterSeconds: 73,
  retryLimit: 4,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 76,
  heartbeatSeconds: 77,
};
const scheduled: {
  readonly [Name in Exclude<keyof ScheduleOptions, 'db'>]-?: ScheduleOptions[Name];
} = { ...sent, key: 'nightly', tz: 'Europe/Berlin', missed: 'once' };

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_job_options');
  board = await world.board();
  await world.boss.createQueue('dead');
  await world.boss.createQueue('work');
});
afterAll(() => world?.close());

it('are those of the library', () => {
  expect(Object.keys(SendPgqJobOptions.shape).toSorted()).toEqual(Object.keys(sent).toSorted());
  expect(Object.keys(PgqScheduleOptions.shape).toSorted()).toEqual(
    Object.keys(scheduled).toSorted(),
  );
});

it('of a job reach the library', async () => {
  const answer = await board.send('POST', '/api/pgq/queues/work/jobs', { options: sent });
  expect(answer.body).toEqual({ id: sent.id });
  const { rows } = await world.admin.query(
    `select *, extract(epoch from keep_until - start_after)::int as retention
     from pgboss.job where name = 'work'`,
  );
  expect(rows[0]).toMatchObject({
    priority: 3,
    start_after: new Date('2040-01-02T03:04:05.000Z'),
    singleton_key: 'key',
    group_id: 'group',
    group_tier: 'tier',
    dead_letter: 'dead',
    expire_seconds: 71,
    retention: 72_000,
    deletion_seconds: 73,
    retry_limit: 4,
    retry_delay: 5,
    retry_backoff: true,
    retry_delay_max: 76,
    heartbeat_seconds: 77,
  });
  expect(rows[0].singleton_on).not.toBeNull();
});

it.each([
  ['unknown', 1],
  ['db', {}],
  ['group', { id: '' }],
  ['singletonKey', 'k'.repeat(1_025)],
  ['heartbeatSeconds', 0],
])('refuses %s by its name', async (name, value) => {
  for (const [method, path, body] of [
    ['POST', 'jobs', {}],
    ['PUT', 'schedules', { cron: '* * * * *' }],
  ] as const) {
    const answer = await board.send(method, `/api/pgq/queues/work/${path}`, {
      ...body,
      options: { [name]: value },
    });
    expect([path, answer.status, answer.body['error']?.['key']]).toEqual([
      path,
      400,
      'ERRORS.INVALID_REQUEST_BODY',
    ]);
    expect(String(answer.body['error']?.['options']?.['field'])).toMatch(
      new RegExp(`^options\\.${name}`),
    );
  }
});

it('refuse a queue for dead letters that is missing or hidden, alike', async () => {
  await world.boss.createQueue('hidden');
  const guarded = await world.board({ visibilityGuard: (_, name) => name !== 'hidden' });
  const answers = [];
  for (const deadLetter of ['hidden', 'missing']) {
    const options = { deadLetter };
    answers.push(await guarded.send('POST', '/api/pgq/queues/work/jobs', { options }));
  }
  const [hidden, missing] = answers;
  expect(hidden?.status).toBe(400);
  expect(hidden?.text).toBe(missing?.text);
});

it('of a schedule stay when it is saved as it was read, or edited in part', async () => {
  const path = '/api/pgq/queues/work/schedules';
  await world.boss.schedule('work', '0 3 * * *', { a: 1 }, scheduled as ScheduleOptions);
  const stored = async () => {
    const { body } = await board.get('/api/pgq/schedules?queueName=work');
    return (body['schedules'] as unknown as Record<string, unknown>[])[0] as {
      expression: string;
      timezone: string;
      key: string;
      data: unknown;
      options: Record<string, unknown>;
      version: string;
    };
  };
  const read = await stored();
  const body = {
    key: read.key,
    cron: read.expression,
    tz: read.timezone,
    data: read.data,
    options: read.options,
    ifUnchanged: read.version,
  };
  const saved = await board.send('PUT', path, body);
  expect(saved.status).toBe(200);
  expect((await stored()).options).toEqual(read.options);
  const edited = await board.send('PUT', path, {
    ...body,
    cron: '0 4 * * *',
    ifUnchanged: undefined,
    options: { priority: 9, deadLetter: null },
  });
  expect(edited.status).toBe(200);
  const { deadLetter, ...others } = read.options;
  expect(deadLetter).toBe('dead');
  expect((await stored()).options).toEqual({ ...others, priority: 9 });
  const late = await board.send('PUT', path, body);
  expect([late.status, late.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
  // An edit of one that is gone does not create it.
  const { version: ifUnchanged } = await stored();
  expect((await board.send('PUT', `${path}/remove`, { key: read.key })).status).toBe(200);
  const gone = await board.send('PUT', path, { ...body, ifUnchanged });
  expect([gone.status, gone.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
  expect(await stored()).toBeUndefined();
});
