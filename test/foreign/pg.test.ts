/** The private parts of `pg`, in the oldest and the newest version that is known. */

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { executorOf } from '../../src/adapters/sql/executors/recognise.ts';
import { ownPoolChannel } from '../../src/board/pgq/connect/own-pool.ts';
import { ColumnParsers, oneTrip, plainStatement } from '../../src/relational/index.ts';
import {
  addStartup,
  isBinary,
  isCancelable,
  processOf,
  takesStartup,
} from '../../src/relational/databases/postgresql/foreign.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { installed } from './versions.ts';
import { Stop } from '../../src/relational/read/execution.ts';

const database = await scratchDatabase('postgresql', 'foreign_pg');
if ('missing' in database && everyServiceRequired()) throw new Error(database.advice);
const url = 'missing' in database ? undefined : database.url;

const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
afterEach(() => void warn.mockClear());
afterAll(async () => {
  if (!('missing' in database)) await database.drop();
});

const sleeping = plainStatement('select pg_sleep(60) as c0', []);

describe.skipIf(!url).each(installed('pg-8.11', 'pg'))('pg $version', ({ module }) => {
  const { Client, Pool } = module<typeof pg>();
  let client: pg.Client;

  beforeAll(async () => {
    client = new Client(url);
    await client.connect();
  });
  afterAll(() => client.end());

  it.each(['a pool', 'a client'])('ends a statement on the server: %s', async (on) => {
    const pool = new Pool({ connectionString: url });
    const stop = new Stop();
    const running = executorOf(on === 'a pool' ? pool : client).run(sleeping, [], stop);
    const ended = Promise.resolve(running).catch((error: unknown) => error);
    const watching = new Client(url);
    await watching.connect();
    const asleep = () =>
      watching.query(`select from pg_stat_activity where wait_event = 'PgSleep'
        and datname = current_database()`);
    await expect.poll(async () => (await asleep()).rowCount).toBe(1);
    stop.stop();
    expect(await ended).toMatchObject({ code: '57014' });
    await Promise.all([pool.end(), watching.end()]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('tells the process of a client', async () => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(processOf(client)).toBe(rows[0]?.pid);
  });

  it('runs query objects', async () => {
    const statement = { name: 'one', text: 'select $1::int4, $2::text', values: [7, null] };
    const other = { name: 'two', text: 'select 8', values: [] };
    const parsers = new ColumnParsers((oid) => (oid === 23 ? Number : null));
    expect(await oneTrip(client, [statement], parsers)).toEqual([[[7, null]]]);
    expect(await oneTrip(client, [statement, other], parsers)).toEqual([[[7, null]], [[8]]]);
    const broken = { name: 'three', text: 'select 1 / 0', values: [] };
    await expect(oneTrip(client, [broken], parsers)).rejects.toMatchObject({ code: '22012' });
  });

  it('takes startup parameters', async () => {
    expect(takesStartup(Client)).toBe(true);
    const other = new Client({ connectionString: url, statement_timeout: 1234 });
    addStartup(other, { DateStyle: 'German' });
    await other.connect();
    const { rows } = await other.query(
      `select current_setting('datestyle') as style, current_setting('statement_timeout') as time`,
    );
    expect(rows).toEqual([{ style: 'German, DMY', time: '1234ms' }]);
    await other.end();
  });

  it('tells whether values are binary', async () => {
    const binary = { connectionString: url, binary: true };
    const pool = new Pool(binary);
    expect([isBinary(new Client(binary)), isBinary(pool)]).toEqual([true, true]);
    expect([isBinary(client), isBinary(new Pool())]).toEqual([false, false]);
    await pool.end();
  });
});

describe('a version without these members', () => {
  it('is told of once: no cancel requests', () => {
    const whole = {
      connection: { cancel: () => undefined, stream: { pause: () => undefined } },
      secretKey: 1,
      queryQueue: [],
    };
    expect(isCancelable(whole)).toBe(true);
    const { connection, secretKey: _key, ...keyless } = whole;
    const { queryQueue: _queue, ...queueless } = whole;
    const { cancel, stream } = connection;
    expect(isCancelable({ ...keyless, connection })).toBe(false);
    expect(isCancelable(queueless)).toBe(false);
    expect(isCancelable({ ...whole, connection: { stream } })).toBe(false);
    expect(isCancelable({ ...whole, connection: { cancel, stream: {} } })).toBe(false);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/"pg".*: the server does not end the statements of requests/)],
    ]);
  });

  it('is told of once: no process', () => {
    expect([processOf({}), processOf({}), processOf({ processID: null })]).toEqual([
      undefined,
      undefined,
      null,
    ]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/not prepared under a name\.$/)]]);
  });

  it.skipIf(!url)('is told of to the log of a board, whose reads set the format', async () => {
    const lines: string[] = [];
    const log = { warn: (line: string) => void lines.push(line) };
    const driver = { Pool: pg.Pool, Client: Object } as unknown as typeof pg;
    const config = { connectionString: url, options: '-c datestyle=German' };
    const channel = ownPoolChannel(driver, config, 1000, false, log);
    const style = "select current_setting('datestyle') as style";
    expect(await channel.read((session) => session.query(style, []))).toEqual([
      { style: expect.stringMatching(/^ISO/) },
    ]);
    expect(lines).toEqual([expect.stringMatching(/the board reads in transactions of their own/)]);
    await channel.close();
  });
});
