/** Workers of the library and commands of a board on the same jobs at the same time. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { BoardUnderTest, World } from './world.ts';

/** Milliseconds of contention; a long run has fifteen seconds. */
const duration = process.env['SLUICE_LONG'] === '1' ? 15_000 : 3_000;
const queue = 'contended';
const path = `/api/pgq/queues/${queue}/jobs`;

const anyOf = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item;

/** Notes the jobs that are cancelled while they run: these may be removed under their handlers. */
const noteCancelled = `create table cancelled (id uuid);
  create function note_cancelled() returns trigger language plpgsql as $$ begin
    insert into cancelled values (old.id); return null;
  end $$;
  create trigger note_cancelled after update on pgboss.job for each row
    when (old.state = 'active' and new.state = 'cancelled') execute function note_cancelled()`;

/**
 * Eight workers run jobs, of which a fifth fails, while clients remove, cancel and retry them. Afterwards, no job that
 * was not cancelled was removed under its handler, none has run more often than it was retried, and no client got an
 * error.
 */
export async function contend({ boss, admin }: World, board: BoardUnderTest): Promise<void> {
  await boss.createQueue(queue, { retryLimit: 0 });
  await admin.query(noteCancelled);
  const ids: string[] = [];
  const runs = new Map<string, number>();
  const retries = new Map<string, number>();
  const lost: string[] = [];
  const outcomes = new Map<string, number>();
  const end = Date.now() + duration;

  const produce = async (): Promise<void> => {
    while (Date.now() < end) {
      const made = await boss.insert(
        queue,
        Array.from({ length: 50 }, () => ({ data: {} })),
        { returnId: true } as object,
      );
      ids.push(...(made ?? []));
      if (ids.length > 400) ids.splice(0, ids.length - 400);
      await sleep(40);
    }
  };
  const work = async (): Promise<void> => {
    while (Date.now() < end) {
      const jobs = await boss.fetch(queue, { batchSize: 5 });
      for (const { id } of jobs) runs.set(id, (runs.get(id) ?? 0) + 1);
      await sleep(Math.random() * 10);
      const held = jobs.map(({ id }) => id);
      if (held.length === 0) continue;
      const { rows } = await admin.query<{ id: string }>(
        'select id from pgboss.job where name = $1 and id = any($2::uuid[]) union select id from cancelled',
        [queue, held],
      );
      const found = new Set(rows.map(({ id }) => id));
      lost.push(...held.filter((id) => !found.has(id)));
      const failed = held.filter(() => Math.random() < 0.2);
      if (failed.length > 0) await boss.fail(queue, failed);
      const rest = held.filter((id) => !failed.includes(id));
      if (rest.length > 0) await boss.complete(queue, rest);
    }
  };
  const note = (status: number, key: unknown): void => {
    const outcome = `${status} ${String(key ?? '')}`.trim();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const bulk = async (action: string): Promise<void> => {
    while (Date.now() < end) {
      const chosen = Array.from({ length: 20 }, () => anyOf(ids)).filter(Boolean);
      if (chosen.length === 0) await sleep(5);
      else {
        const answer = await board.send('PUT', `${path}/${action}`, { ids: chosen });
        note(answer.status, answer.body['error']?.['key']);
      }
    }
  };
  const retry = async (): Promise<void> => {
    while (Date.now() < end) {
      const { rows } = await admin.query<{ id: string }>(
        `select id from pgboss.job where name = $1 and state = 'failed' limit 5`,
        [queue],
      );
      for (const { id } of rows) {
        const answer = await board.send('PUT', `${path}/${id}/retry`);
        note(answer.status, answer.body['error']?.['key']);
        if (answer.status === 200) retries.set(id, (retries.get(id) ?? 0) + 1);
      }
      await sleep(5);
    }
  };
  await Promise.all([
    produce(),
    ...Array.from({ length: 8 }, work),
    bulk('remove'),
    bulk('remove'),
    bulk('cancel'),
    bulk('cancel'),
    retry(),
    retry(),
  ]);
  const twice = [...runs].filter(([id, count]) => count > 1 + (retries.get(id) ?? 0));
  const expected = new Set([
    '200',
    '404 ERRORS.JOB_NOT_FOUND',
    '409 ERRORS.PGQ_JOB_STATE_CONFLICT',
  ]);
  const others = [...outcomes].filter(([outcome]) => !expected.has(outcome));
  expect({ lost: lost.length, twice: twice.length, others }).toEqual({
    lost: 0,
    twice: 0,
    others: [],
  });
  expect(runs.size).toBeGreaterThan(100);
  expect(outcomes.get('200')).toBeGreaterThan(0);
}
