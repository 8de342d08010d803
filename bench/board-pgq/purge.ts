/**
 * Commands on whole queues, compared with pg-boss's own commands on the same jobs: the request, and the end of its run. A
 * filter has no command of pg-boss beside it: the same jobs are deleted as a whole queue, by their ids, and by hand.
 */

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { openBoard } from '../../src/board/core/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { freshDatabase } from '../board-kvq/run-stores.ts';
import { figure, table } from '../markdown.ts';

/** Times that each command runs on a number of jobs, in turns; the least time counts. */
const rounds = 3;

interface Answer {
  readonly run?: { readonly id: string; readonly state: string };
}

/** Prints a table. */
export async function benchPurge(sizes: readonly number[]): Promise<void> {
  const { url, drop } = await freshDatabase('sluice_bench_purge');
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
  await boss.start();
  await boss.createQueue('purge');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const board = openBoard(pgqEngine({ connection: url }), { attach: () => undefined });
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const sent = { method, headers: { 'content-type': 'application/json' } };
    const request = new Request(`http://board.local/api/${path}`, {
      ...sent,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await board.fetch(request);
    if (answer.status > 202) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  /** Milliseconds until the answer, and until the end. */
  const timed = async (begin: () => Promise<Answer | void>): Promise<[number, number]> => {
    const began = performance.now();
    let run = (await begin())?.run;
    const answered = performance.now() - began;
    while (run?.state === 'running') {
      await pause(10);
      ({ run } = await ask('GET', `bulk/${run.id}`));
    }
    return [answered, performance.now() - began];
  };
  const filter = { 'data.kind': 'a' };
  const byFilter = (action: string) => ask('POST', 'bulk', { queueName: 'purge', action, filter });
  let ids: string[] = [];
  const commands: readonly [name: string, begin: () => Promise<Answer | void>, of?: string][] = [
    ['pg-boss, deleteQueuedJobs', async () => boss.deleteQueuedJobs('purge')],
    ['pg-boss, deleteJob by ids', async () => void (await boss.deleteJob('purge', ids))],
    [
      'SQL, the filter in one statement',
      async () =>
        void (await pool.query(
          `delete from pgboss.job where name = 'purge' and state in ('created', 'retry') and data ->> 'kind' = 'a'`,
        )),
    ],
    ['Sluice, delete-queued', () => ask('PUT', 'pgq/queues/purge/delete-queued')],
    ['Sluice, a run by filter', () => byFilter('remove')],
    ['pg-boss, cancel by ids', async () => void (await boss.cancel('purge', ids))],
    ['Sluice, cancel by filter', () => byFilter('cancel'), 'pg-boss, cancel by ids'],
  ];
  const rows: string[][] = [];
  try {
    for (const jobs of sizes) {
      const least = commands.map((): [number, number] => [Infinity, Infinity]);
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, [name, begin]] of commands.entries()) {
          await pool.query('truncate pgboss.job_common');
          await pool.query(
            `insert into pgboss.job (name, state, policy, data)
             select 'purge', 'created', 'standard', jsonb_build_object('kind', 'a', 'text', repeat('x', 200))
             from generate_series(1, ${jobs})`,
          );
          await pool.query('vacuum analyze pgboss.job_common');
          const { rows: filled } = await pool.query<{ id: string }>('select id from pgboss.job');
          ids = filled.map(({ id }) => id);
          const [answered, ended] = await timed(begin);
          const { rows: left } = await pool.query(
            `select 1 from pgboss.job where state <> 'cancelled' limit 1`,
          );
          if (left.length > 0) throw new Error(`${name} has left jobs.`);
          const [first, last] = least[index] ?? [Infinity, Infinity];
          least[index] = [Math.min(first, answered), Math.min(last, ended)];
        }
      }
      const [whole] = commands[0] ?? [''];
      const endOf = (name: string): number =>
        least[commands.findIndex(([of]) => of === name)]?.[1] ?? Number.NaN;
      for (const [
        index,
        [name, , of = name.includes('cancel') ? name : whole],
      ] of commands.entries()) {
        const [answered = Number.NaN, ended = Number.NaN] = least[index] ?? [];
        rows.push([String(jobs), name, figure(answered), figure(ended), figure(ended / endOf(of))]);
      }
    }
  } finally {
    await Promise.all([board.close(), pool.end(), boss.stop({ graceful: false })]);
    await drop();
  }
  console.log(table(['jobs', 'command', 'answer, ms', 'end, ms', 'to pg-boss'], rows));
  console.log('');
}
