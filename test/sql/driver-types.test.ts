/** A value of each type on each driver of a family: the rows of executors are the same, whatever a driver makes of them. */

import { PGlite } from '@electric-sql/pglite';
import createKnex from 'knex';
import * as mariadbConnector from 'mariadb';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { type SqlConnection, mariadb, pglite, postgresJs } from '../../src/adapters/sql/index.ts';
import { executorOf } from '../../src/adapters/sql/executors/recognise.ts';
import { plainStatement } from '../../src/relational/index.ts';
import { Stop } from '../../src/relational/read/execution.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

type Opened = readonly [SqlConnection, () => PromiseLike<unknown>];

const selected = (columns: readonly (readonly [string, unknown])[], from = ''): string =>
  `select ${columns.map(([sql], at) => `${sql} as c${at}`).join(', ')}${from}`;

const onPostgresql: readonly (readonly [string, unknown])[] = [
  [`true`, true],
  [`'\\x00ff5c0a'::bytea`, Buffer.from([0, 255, 92, 10])],
  [`9007199254740993::int8`, '9007199254740993'],
  [`5::int8`, '5'],
  [`(-5)::int2`, -5],
  [`7::int4`, 7],
  [`26::oid`, '26'],
  [`1.5::float4`, '1.5'],
  [`0.1::float8`, '0.1'],
  [`12345678901234567.25::numeric`, '12345678901234567.25'],
  [`'a'::text`, 'a'],
  [`'b'::varchar(3)`, 'b'],
  [`'c'::char(3)`, 'c  '],
  [`'{"a": [1]}'::json`, { a: [1] }],
  [`'["b"]'::jsonb`, ['b']],
  [`date '2020-01-02'`, '2020-01-02'],
  [`timestamp '2020-01-02 03:04:05.123456'`, '2020-01-02 03:04:05.123456'],
  [`timestamptz '2020-01-02 03:04:05.123456+00'`, '2020-01-02 03:04:05.123456+00'],
  [`null::text`, null],
  [`$1::bytea`, Buffer.from([1, 92, 200])],
  [`$2::timestamptz`, '2021-02-03 04:05:06.789+00'],
  [`($3::int[])::text`, '{1,NULL}'],
  [`($4::text[])::text`, String.raw`{"a\"b\\",NULL}`],
  [`$5::text`, null],
  [`$6::text`, null],
  [`$7::boolean`, true],
  [`$8::text`, String.raw`\x`],
];

const postgresqlValues = [
  Buffer.from([1, 92, 200]),
  new Date('2021-02-03T04:05:06.789Z'),
  [1, null],
  ['a"b\\', null],
  null,
  undefined,
  true,
  String.raw`\x`,
];

const onMysql: readonly (readonly [string, unknown])[] = [
  [`amount`, '12345678901234567.25'],
  [`wide`, '9007199254740993'],
  [`narrow`, '5'],
  [`whole`, 7],
  [`ratio`, 0.1],
  [`day`, '2020-01-02'],
  [`moment`, '2020-01-02 03:04:05.123456'],
  [`at`, '2020-01-02 03:04:05.654321'],
  [`name`, 'a'],
  [`bytes`, Buffer.from([0, 255, 92])],
  [`nothing`, null],
  [`?`, 'it\'s "b" \\ ?'],
  [`':c'`, ':c'],
];

const mysqlScript = [
  `create table kinds (amount decimal(30, 2), wide bigint, narrow bigint, whole int, ratio double, day date,
    moment datetime(6), at timestamp(6) null, name varchar(9), bytes varbinary(9), nothing int)`,
  `insert into kinds values (12345678901234567.25, 9007199254740993, 5, 7, 0.1, '2020-01-02',
    '2020-01-02 03:04:05.123456', '2020-01-02 03:04:05.654321', 'a', x'00ff5c', null)`,
];

/** Settings of the host that would change values. */
const lossy = {
  supportBigNumbers: false,
  bigNumberStrings: false,
  dateStrings: false,
  rowsAsArray: false,
  nestTables: true,
  namedPlaceholders: true,
} as const;

const mysqlPool = (more: object) => (uri: string) => {
  const pool = mysql2.createPool({ uri, connectionLimit: 1, ...more });
  return [pool, () => pool.end()] as const;
};

const drivers: readonly (readonly [string, DatabaseFamily, (url: string) => Opened])[] = [
  [
    'a Pool of pg',
    'postgresql',
    (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 1 });
      return [pool, () => pool.end()];
    },
  ],
  [
    'Knex on pg',
    'postgresql',
    (connection) => {
      const knex = createKnex({ client: 'pg', connection, pool: { min: 0, max: 1 } });
      return [knex, () => knex.destroy()];
    },
  ],
  [
    'postgres.js',
    'postgresql',
    (url) => {
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      return [postgresJs(sql), () => sql.end()];
    },
  ],
  [
    'PGlite',
    'postgresql',
    () => {
      const database = new PGlite();
      return [pglite(database), () => database.close()];
    },
  ],
  ['a pool of mysql2', 'mysql', mysqlPool(lossy)],
  ['a pool of mysql2 with decimal numbers', 'mysql', mysqlPool({ ...lossy, decimalNumbers: true })],
  [
    'a pool of mysql2 with a cast',
    'mysql',
    mysqlPool({ ...lossy, typeCast: (_field: unknown, next: () => unknown) => [next()] }),
  ],
  [
    'Knex on mysql2',
    'mysql',
    (uri) => {
      const knex = createKnex({
        client: 'mysql2',
        connection: {
          uri,
          decimalNumbers: true,
          supportBigNumbers: false,
          bigNumberStrings: false,
        },
        pool: { min: 0, max: 1 },
      });
      return [knex, () => knex.destroy()];
    },
  ],
  [
    'a pool of mariadb',
    'mysql',
    (url) => {
      const to = `${url.replace(/^mysql:/, 'mariadb:')}?connectionLimit=1`;
      const pool = mariadbConnector.createPool(to);
      return [mariadb(pool), () => pool.end()];
    },
  ],
];

it.for(drivers)('%s', async ([, family, open], { skip }) => {
  const database = await scratchDatabase(family, 'driver_types');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  const [connection, close] = open(database.url);
  const isMysql = family === 'mysql';
  try {
    const executor = executorOf(connection, { namedStatements: true });
    const script = isMysql ? mysqlScript : [`set timezone to 'UTC'`];
    for (const text of script) await executor.run(plainStatement(text), []);
    const columns = isMysql ? onMysql : onPostgresql;
    const values = isMysql ? ['it\'s "b" \\ ?'] : postgresqlValues;
    const statement = plainStatement(selected(columns, isMysql ? ' from kinds' : ''), values);
    const row = columns.map(([, value]) => value);
    // A statement has a name from its fourth run on.
    for (let run = 0; run < 6; run += 1) {
      expect(await executor.run(statement, values)).toEqual([row]);
      expect(await executor.run(statement, values, new Stop())).toEqual([row]);
    }
  } finally {
    await close();
    await database.drop();
  }
});
