/** Settings of a database or role that change output formats and execution: the responses stay the same. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from './cells.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

const settings = [
  "datestyle to 'SQL, DMY'",
  "datestyle to 'German'",
  "datestyle to 'Postgres, MDY'",
  "timezone to 'America/St_Johns'",
  "search_path to ''",
  'standard_conforming_strings to off',
  "default_transaction_isolation to 'serializable'",
  'enable_indexscan to off',
];

describe.each(cells.filter(({ library }) => library === newestLibrary))('$name', (cell) => {
  let world: World;
  let database: string;
  let id: string;
  let usual: readonly unknown[];

  /** The responses of a board with new connections, without the parts that depend on the time. */
  async function answers(): Promise<readonly unknown[]> {
    const { pgq, close } = cell.options(world);
    const board: BoardUnderTest = await world.board(pgq);
    const shown: unknown[] = [];
    for (const path of [
      'queues',
      'queues/a',
      'queues/a/counts',
      'queues/a/jobs?filter[createdOn][gt]=2020-01-01T00:00:00Z&limit=1',
      `queues/a/jobs/${id}`,
      `jobs/${id}`,
      'warnings',
      'schedules',
      'queues/a/depth',
    ]) {
      const { status, text } = await board.get(`/api/pgq/${path}`);
      shown.push([path, status, text.replaceAll(/"(from|to)":\d+|"nextRuns":[^\]]*/g, '')]);
    }
    const first = await board.get('/api/pgq/queues/a/jobs?limit=1');
    const second = await board.get(
      `/api/pgq/queues/a/jobs?limit=1&cursor=${String(first.body['nextCursor'])}`,
    );
    shown.push(first.body['jobs'], second.body['jobs']);
    const sent = await board.send('POST', '/api/pgq/queues/sent/jobs', {
      options: { startAfter: '2040-01-02T03:04:05Z' },
    });
    const job = await board.get(`/api/pgq/queues/sent/jobs/${String(sent.body['id'])}`);
    shown.push(job.body['job']?.['startAfter']);
    expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
    await close?.();
    return shown;
  }

  /** Closes the connections of an instance, because settings apply to new ones. */
  async function startAnew(): Promise<void> {
    await world.admin.query(
      `select pg_terminate_backend(pid, 1000) from pg_stat_activity
       where datname = current_database() and application_name = 'pgboss'`,
    );
    await sleep(50);
  }

  beforeAll(async () => {
    world = await makeWorld(cell.library, 'pgq_settings');
    const { admin, boss, url } = world;
    database = new URL(url).pathname.slice(1);
    await boss.createQueue('a');
    await boss.createQueue('sent');
    await boss.send('a', {});
    id = (await boss.send('a', { n: 1 }, { startAfter: 3_600 })) as string;
    await boss.schedule('a', '0 3 * * *', null, { tz: 'Asia/Kathmandu' });
    await admin.query(`insert into pgboss.warning (type, message) values ('t', 'm')`);
    await admin.query(
      `insert into pgboss.queue_stats (name, deferred_count, queued_count, ready_count, active_count,
         failed_count, total_count, captured_on) values ('a', 1, 1, 1, 1, 1, 1, now())`,
    );
    await admin.query(
      `update pgboss.job set started_on = now(), completed_on = now() - interval '13 days',
         singleton_on = '2026-03-04 05:06:07' where id = $1`,
      [id],
    );
    usual = await answers();
  });
  afterAll(() => world?.close());

  it('responds as usual at first', () => {
    expect(usual).toHaveLength(12);
    expect(usual.at(-1)).toBe('2040-01-02T03:04:05.000Z');
    expect(JSON.stringify(usual)).toContain('2026-03-04T05:06:07.000Z');
    for (const answer of usual.slice(0, 9)) expect(answer).toContain(200);
  });

  it.each(settings)('with %s', async (setting) => {
    await world.admin.query(`alter database ${database} set ${setting}`);
    await startAnew();
    try {
      expect(await answers()).toEqual(usual);
    } finally {
      await world.admin.query(`alter database ${database} reset ${setting.split(' ')[0]}`);
      await startAnew();
    }
  });
});
