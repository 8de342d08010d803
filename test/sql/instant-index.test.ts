/** Filters by the shown value of an instant use the index on its column, on PostgreSQL and MySQL or MariaDB. */

import mysql2, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const families = ['postgresql', 'mysql'] as const;
type Family = (typeof families)[number];

interface Sent {
  readonly text?: string;
  readonly sql?: string;
  readonly values?: unknown[];
}

/** The number of rows, each a tenth of a second and a few microseconds after the one before. */
const count = 20_000;
const column: { readonly [family in Family]: string } = {
  postgresql: 'timestamp with time zone',
  mysql: 'datetime(6)',
};
const fill: { readonly [family in Family]: readonly string[] } = {
  postgresql: [
    `insert into events select no, timestamptz '2030-01-01T00:00:00Z' + no * interval '100007 microseconds'
     from generate_series(1, ${count}) as no`,
    'analyze events',
  ],
  mysql: [
    `insert into events with recursive n as (select 1 as no union all select no + 1 from n where no < ${count})
     select no, '2030-01-01 00:00:00' + interval no * 100007 microsecond from n`,
    'analyze table events',
  ],
};

interface Connected {
  readonly connection: object;
  run(sql: string, values?: unknown[]): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

async function connected(family: Family, url: string, sent: Sent[]): Promise<Connected> {
  const heard = <C extends { query(...given: never[]): unknown }>(client: C): C => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    return Object.assign(Object.create(client) as C, {
      query: (statement: Sent, ...rest: unknown[]) => {
        sent.push(statement);
        return query(statement, ...rest);
      },
    });
  };
  if (family === 'postgresql') {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return {
      connection: heard(client),
      run: async (sql, values) => (await client.query(sql, values)).rows as unknown[],
      end: () => client.end(),
    };
  }
  const client = await mysql2.createConnection({ uri: url });
  await client
    .query('set session cte_max_recursion_depth = 100000')
    .catch(() => client.query('set session max_recursive_iterations = 100000'));
  return {
    connection: heard(client),
    run: async (sql, values) => (await client.query<RowDataPacket[]>(sql, values))[0],
    end: () => client.end(),
  };
}

it.each(families)('finds shown instants with an index on %s', async (family) => {
  const database = await scratchDatabase(family, 'instant_index');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const sent: Sent[] = [];
  const { connection, run, end } = await connected(family, database.url, sent);
  try {
    await run(`create table events (id int primary key, at ${column[family]} not null)`);
    await run('create index by_at on events (at)');
    for (const statement of fill[family]) await run(statement);
    const tables = sqlTables({
      event: {
        table: 'events',
        primaryKey: 'id',
        columns: { id: 'int', at: { type: column[family], kind: 'datetime' } },
      },
    });
    const registry = sqlRegistry(tables, { families: [family] });
    const rules = defineQueryRules(registry, 'event', {
      filters: [{ path: 'at', operators: ['eq', 'in', 'lte'] }],
      fields: { root: { allowed: ['id', 'at'], default: ['id', 'at'] } },
    });
    const source = sqlSource({
      connection: connection as never,
      registry,
      tables,
      model: 'event',
    });
    const { data } = await runQuery(source, 'perPage=100', rules);
    const shown = data.map(({ at }) => String(at));
    const filters = {
      [`[eq]=${shown[3]}`]: 1,
      [`[in]=${shown.slice(0, 3).join()}`]: 3,
      [`[in]=${shown.slice(0, 90).join()}`]: 90,
      [`[lte]=${shown[3]}`]: 4,
    };
    for (const [filter, total] of Object.entries(filters)) {
      sent.splice(0);
      const page = await runQuery(source, `filter[at]${filter}&perPage=1`, rules);
      expect(page, `${filter.slice(0, 60)}`).toMatchObject({ total });
      const counting = sent.find(({ text, sql }) => (text ?? sql)?.includes('count(*)'));
      const statement = (counting?.text ?? counting?.sql ?? '').replace(/^\/\*.*?\*\/\s*/, '');
      const plan = await run(`explain ${statement}`, counting?.values);
      const used = family === 'mysql' ? (plan[0] as RowDataPacket)['key'] : JSON.stringify(plan);
      expect(used, `${filter.slice(0, 60)}`).toContain('by_at');
    }
  } finally {
    await end();
    await database.drop();
  }
});
