/** The number of statements per command, including those of the library, regardless of the number of jobs. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advanceClock, holdClock } from '../../clock.ts';
import { newestLibrary } from './libraries.ts';
import { type Recording, recordStatements } from './statements.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

const queue = '/api/pgq/queues/work';
/** Statements of the library: it reads the queue, then writes. */
const library = 2;

let world: World;
let board: BoardUnderTest;
let recording: Recording;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_command_statements');
  await world.boss.createQueue('work');
  board = await world.board();
  await board.send('POST', `${queue}/jobs`, { data: {} });
  recording = recordStatements();
});
afterAll(async () => {
  recording?.stop();
  await world?.close();
});

/** Creates jobs of a queue in a state. */
async function jobsIn(state: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await world.admin.query(
    `insert into pgboss.job (id, name, state, policy, completed_on)
     select id, 'work', $2::text::pgboss.job_state, 'standard',
       case when $2::text in ('completed', 'cancelled', 'failed') then now() end
     from unnest($1::uuid[]) as id`,
    [ids, state],
  );
  return ids;
}

/** Makes the board check the queue now, so that it does not check again within the next second. */
async function meetQueue(): Promise<void> {
  recording.take();
  advanceClock(1_100);
  await board.get(`${queue}/jobs?state=failed&limit=1`);
  expect(recording.take().some(({ text }) => text.includes('"queue"'))).toBe(true);
}

/** Statements around a command: those of the guard, and of the transaction. */
const around =
  /\.version limit 1|^(?:begin|commit|savepoint|release savepoint|select current_setting)\b/;

/** The statements of a command on a recently checked queue, without those around it. */
async function statementsOf(
  method: string,
  path: string,
  body?: object,
): Promise<readonly string[]> {
  const release = holdClock();
  await meetQueue();
  const { status, text } = await board.send(method, path, body).finally(release);
  expect({ status, text }).toMatchObject({ status: 200 });
  const sent = recording.take().map(({ text: sql }) => sql);
  return sent.filter((sql) => !around.test(sql));
}

async function sends(count: number, ...command: Parameters<typeof statementsOf>): Promise<void> {
  const sent = await statementsOf(...command);
  expect({ count: sent.length, sent }).toEqual({ count, sent });
}

describe('statements of a command', () => {
  it.each([
    ['retry', 'failed'],
    ['cancel', 'created'],
    ['resume', 'cancelled'],
    ['remove', 'completed'],
  ])('%s: one job, after locking it', async (action, state) => {
    const [id] = await jobsIn(state, 1);
    await sends(1 + library, 'PUT', `${queue}/jobs/${id}/${action}`);
  });

  it.each([
    ['retry', 'failed'],
    ['cancel', 'created'],
    ['resume', 'cancelled'],
    ['remove', 'completed'],
  ])('%s: the same number for a hundred jobs as for two', async (action, state) => {
    for (const count of [2, 100]) {
      const ids = await jobsIn(state, count);
      await sends(1 + library, 'PUT', `${queue}/jobs/${action}`, { ids });
    }
  });

  it('sending a job', async () => {
    await sends(library, 'POST', `${queue}/jobs`, { data: { a: 1 } });
  });

  it.each([
    // Besides the locks, the page of failed jobs, in the order of their times.
    ['retry-failed', 'failed', 2],
    ['delete-queued', 'created', 1],
    ['delete-stored', 'completed', 1],
  ])('%s: a thousand jobs at a time, after locking them', async (action, state, own) => {
    await jobsIn(state, 50);
    await sends(own + library, 'PUT', `${queue}/${action}`);
  });

  it('schedules: storing one, and removing it, after locking and reading it', async () => {
    const schedule = { key: 'nightly', cron: '0 3 * * *', timezone: 'UTC' };
    await sends(4, 'PUT', `${queue}/schedules`, schedule);
    await sends(3, 'PUT', `${queue}/schedules/remove`, { key: 'nightly' });
  });

  it('previewing a schedule sends no statement', async () => {
    recording.take();
    const answer = await board.send('POST', '/api/pgq/schedules/preview', {
      expression: '0 3 * * *',
    });
    expect(answer.status).toBe(200);
    expect(recording.take()).toHaveLength(0);
  });
});
