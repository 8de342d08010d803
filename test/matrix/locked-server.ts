/** Servers whose statements on the users wait for a lock, in place of statements that are slow. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';

/** How a server is brought to hold statements, and asked about them. */
export interface LockedServer {
  /** Statements on the users of a database wait until the returned function is called. */
  lock(knex: Knex): Promise<() => Promise<unknown>>;
  /** Ends the connections whose statements wait. */
  cut(knex: Knex): Promise<void>;
  /** How many connections to the database are in the middle of something, but the one that asks. */
  readonly busy: string;
  /** How many statements wait for the lock. */
  readonly waiting: string;
}

export const lockedServers: { readonly [family in DatabaseFamily]?: LockedServer } = {
  postgresql: {
    lock: async (knex) => {
      const held = await knex.transaction();
      await held.raw('lock table users in access exclusive mode');
      return () => held.commit();
    },
    cut: async (knex) => {
      await knex.raw(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
    },
    busy: `select count(*) as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    waiting: `select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  },
  mysql: {
    lock: async (knex) => {
      const held = await knex.transaction();
      await held.raw('lock tables users write');
      return async () => {
        await held.raw('unlock tables');
        await held.commit();
      };
    },
    cut: async (knex) => {
      const [waiting] = (await knex.raw(
        `select id from /*!80022 performance_schema.*//*M! information_schema.*/processlist where db = database() and state like '%lock%'`,
      )) as [{ readonly id: number }[]];
      for (const { id } of waiting) await knex.raw(`kill ${id}`).catch(() => undefined);
    },
    // MySQL converts the texts of running statements to a smaller character set in the other one, and fails.
    busy: `select count(*) as count from /*!80022 performance_schema.*//*M! information_schema.*/processlist
      where db = database() and id <> connection_id() and command <> 'Sleep'`,
    waiting: `select count(*) as count from /*!80022 performance_schema.*//*M! information_schema.*/processlist
      where db = database() and state like '%lock%'`,
  },
};

/** Asks until a number of statements waits for the lock that is as expected. */
export async function untilWaiting(
  server: LockedServer,
  knex: Knex,
  expected: (waiting: number) => boolean,
): Promise<void> {
  await until(knex, server.waiting, expected);
}

/** Waits until no statement runs any more. */
export async function settled(server: LockedServer, knex: Knex): Promise<void> {
  await until(knex, server.busy, (busy) => busy === 0);
}

async function until(knex: Knex, asked: string, expected: (count: number) => boolean) {
  let count = 0;
  for (let patience = 200; patience > 0; patience -= 1) {
    count = countOf(await knex.raw(asked));
    if (expected(count)) return;
    await sleep(50);
  }
  expect.fail(`${count} statements still run.`);
}

/** The count in the result of a raw statement, which each driver wraps in its own way. */
function countOf(result: unknown): number {
  const rows: unknown = Array.isArray(result) ? result[0] : (result as { rows: unknown }).rows;
  const [found] = rows as readonly { readonly count: unknown }[];
  return Number(found?.count);
}
