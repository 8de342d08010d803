/** Another connection's writes, caught between a read and the update that follows it. */

import type { Knex } from 'knex';

/**
 * Writes in an open transaction of `other`, so that `run` reads the rows as they were and its update then
 * waits for the locks; commits when that update has been sent. Closes `other`.
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
