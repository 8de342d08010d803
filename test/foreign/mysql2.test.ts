/** The private parts of `mysql2`, in the oldest and the newest version that is known. */

import type callbacks from 'mysql2';
import type mysql2 from 'mysql2/promise';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type SqlConnection, executorOf } from '../../src/adapters/sql/executors/recognise.ts';
import { plainStatement } from '../../src/relational/index.ts';
import { coreOf, settingsOf, tellsCommand } from '../../src/relational/databases/mysql/foreign.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { installed } from './versions.ts';
import { Stop } from '../../src/relational/read/execution.ts';

const database = await scratchDatabase('mysql', 'foreign_mysql2');
if ('missing' in database && everyServiceRequired()) throw new Error(database.advice);
const url = 'missing' in database ? '' : database.url;

const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
afterEach(() => void warn.mockClear());
afterAll(async () => {
  if (!('missing' in database)) await database.drop();
});

describe.skipIf(url === '').each(installed('mysql2-3.0', 'mysql2'))(
  'mysql2 $version',
  ({ module }) => {
    const promises = module<typeof mysql2>('/promise');

    /** Fails, or answers that it has not slept, once the server has ended it. */
    async function endsOn(connection: SqlConnection): Promise<void> {
      const stop = new Stop();
      const statement = plainStatement('select sleep(60) as c0', []);
      const started = performance.now();
      const running = Promise.resolve(executorOf(connection).run(statement, [], stop));
      setTimeout(() => stop.stop(), 200);
      await running.catch((error: unknown) => expect(error).toMatchObject({ errno: 1317 }));
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(warn).not.toHaveBeenCalled();
    }

    it('ends a statement of a pool on the server', async () => {
      const pool = promises.createPool(url);
      await endsOn(pool);
      await pool.end();
    });

    it('ends a statement of a connection on the server', async () => {
      const connection = await promises.createConnection(url);
      await endsOn(connection);
      await connection.end();
    });

    it('tells the settings of pools and connections', async () => {
      const settings = { uri: url, decimalNumbers: true };
      const pool = module<typeof callbacks>().createPool(settings);
      const connection = await promises.createConnection(settings);
      expect(settingsOf(pool)).toMatchObject({ decimalNumbers: true });
      expect(settingsOf(coreOf(connection))).toMatchObject({ decimalNumbers: true });
      await connection.end();
      pool.end();
    });
  },
);

it('is told of once where a connection does not tell its command', () => {
  expect([tellsCommand({ threadId: 1 }), tellsCommand({ threadId: 2 })]).toEqual([false, false]);
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/"mysql2".*: the server does not end the statements of requests/)],
  ]);
  expect([tellsCommand({}), warn.mock.calls.length]).toEqual([false, 1]);
});
