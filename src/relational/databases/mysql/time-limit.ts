/** Time limits on MySQL and MariaDB: a hint and a clause in the statement, else a session variable. */

import { type Executor, plainStatement } from '../../read/executor.ts';
import type { TimeLimit } from '../../read/time-limit.ts';
import { stoppableMariadb } from './mariadb.ts';
import { stoppableMysql2 } from './mysql2.ts';

const flavours = new WeakMap<object, Promise<boolean>>();

/** Whether the server is MariaDB, queried once per server. */
export function isMariaDb(executor: Executor): Promise<boolean> {
  const { server } = executor;
  let flavour = flavours.get(server);
  if (!flavour) {
    const version = executor.run(plainStatement('select version() as c0'), []);
    flavour = Promise.resolve(version).then((rows) => /mariadb/i.test(String(rows[0]?.[0])));
    flavours.set(server, flavour);
    flavour.catch(() => flavours.delete(server));
  }
  return flavour;
}

/** MySQL takes milliseconds, MariaDB seconds. */
export const mysqlLimit: TimeLimit = {
  session: (executor, milliseconds, work) =>
    executor.transaction(async (inner) => {
      const mariadb = await isMariaDb(inner);
      const name = mariadb ? 'max_statement_time' : 'max_execution_time';
      const run = (text: string) => inner.run(plainStatement(text), []);
      // `set` does not accept parameters.
      const set = (value: number) => run(`set session ${name} = ${value}`);
      const [before] = await run(`select @@session.${name} as c0`);
      await set(mariadb ? milliseconds / 1000 : milliseconds);
      try {
        return await work(inner);
      } finally {
        // A lost session has no variable to restore.
        await Promise.resolve(set(Number(before?.[0] ?? 0))).catch(() => undefined);
      }
    }, milliseconds),
  // MySQL takes the clause of MariaDB for a comment, and MariaDB the hint of MySQL.
  inText: (milliseconds, { text, slots }) => {
    const most = Math.min(milliseconds, 2 ** 31 - 1);
    const clause = `/*M! set statement max_statement_time=${most / 1000} for */`;
    const hint = `/*+ MAX_EXECUTION_TIME(${most}) */`;
    return { text: text.replace(/^select/i, `${clause}select ${hint}`), slots };
  },
  stoppable: (target, control) =>
    control ? stoppableMariadb(target, control) : stoppableMysql2(target),
};
