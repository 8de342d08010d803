/** `timeoutMs` on Prisma: the server stops what takes too long, inside a transaction on one connection. */

import type { DatabaseFamily } from '../../rules/index.ts';
import { type PrismaClientLike, inTransaction } from './client.ts';
import { queryRaw } from './raw.ts';

type Work<T> = (client: PrismaClientLike) => Promise<T>;
type Limit = <T>(client: PrismaClientLike, milliseconds: number, work: Work<T>) => Promise<T>;

/** Milliseconds the client itself waits longer than the server, whose answer tells more. */
const graceMs = 1000;

/** Runs work in a transaction with a setting of the session, which is put back. */
async function withSetting<T>(
  client: PrismaClientLike,
  milliseconds: number,
  setting: (client: PrismaClientLike) => Promise<() => Promise<unknown>>,
  work: Work<T>,
): Promise<T> {
  const options = { maxWait: milliseconds, timeout: milliseconds + graceMs };
  return inTransaction(
    client,
    async (transaction) => {
      const putBack = await setting(transaction);
      let result: T;
      try {
        result = await work(transaction);
      } catch (error) {
        // In a transaction that PostgreSQL has given up nothing runs, and nothing is left to put back.
        await putBack().catch(() => undefined);
        throw error;
      }
      await putBack();
      return result;
    },
    options,
  );
}

const postgresqlLimit: Limit = (client, milliseconds, work) =>
  withSetting(
    client,
    milliseconds,
    async (transaction) => {
      const [before] = await queryRaw(
        transaction,
        `select current_setting('statement_timeout') as c0, set_config('statement_timeout', $1, true) as c1`,
        [String(milliseconds)],
      );
      return () =>
        queryRaw(transaction, `select set_config('statement_timeout', $1, true) as c0`, [
          String(before?.[0] ?? '0'),
        ]);
    },
    work,
  );

/** MySQL counts milliseconds, MariaDB seconds; both take `set` with a value in the text alone. */
const mysqlLimit: Limit = (client, milliseconds, work) =>
  withSetting(
    client,
    milliseconds,
    async (transaction) => {
      const [version] = await queryRaw(transaction, 'select version() as c0', []);
      const isMariaDb = /mariadb/i.test(String(version?.[0]));
      const name = isMariaDb ? 'max_statement_time' : 'max_execution_time';
      const [before] = await queryRaw(transaction, `select @@session.${name} as c0`, []);
      const set = (value: number) => queryRaw(transaction, `set session ${name} = ${value}`, []);
      await set(isMariaDb ? milliseconds / 1000 : milliseconds);
      return () => set(Number(before?.[0] ?? 0));
    },
    work,
  );

/** SQLite runs in the process, where nothing can interrupt a statement; the time is looked at around it. */
const sqliteLimit: Limit = (client, _milliseconds, work) => work(client);

const limits: { readonly [F in DatabaseFamily]: Limit } = {
  postgresql: postgresqlLimit,
  mysql: mysqlLimit,
  sqlite: sqliteLimit,
};

/** Runs work whose statements the server stops after `milliseconds`. */
export function limited<T>(
  family: DatabaseFamily,
  client: PrismaClientLike,
  milliseconds: number,
  work: Work<T>,
): Promise<T> {
  return limits[family](client, Math.max(1, Math.ceil(milliseconds)), work);
}
