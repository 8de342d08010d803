/** Commits writes of another connection between a read and the update that follows it. */

import type { Knex } from 'knex';

/**
 * Writes in an open transaction of `other`, so that `run` reads the previous rows and its update waits for the locks.
 * Commits when the update has been sent, and closes `other`.
 */
export async function writeWhileLocked(
  knex: Knex,
  other: Knex,
  statements: readonly string[],
  run: () => Promise<unknown>,
): Promise<void> {
  let commit = () => {};
  const sent = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const watch = ({ sql }: { sql: string }) => {
    if (sql.startsWith('UPDATE')) setTimeout(commit, 100);
  };
  let began = () => {};
  const writing = new Promise<void>((resolve) => {
    began = resolve;
  });
  const transaction = other.transaction(async (trx) => {
    for (const statement of statements) await trx.raw(statement);
    began();
    await sent;
  });
  await writing;
  knex.on('query', watch);
  try {
    await Promise.all([run(), transaction]);
  } finally {
    knex.off('query', watch);
    await other.destroy();
  }
}
