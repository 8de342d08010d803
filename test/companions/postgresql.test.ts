/** The companion migration on PostgreSQL, and what only PostgreSQL has: lock timeouts, invalid indexes. */

import knexFactory from 'knex';
import type { Knex } from 'knex';
import { companionSuite } from './suite.ts';
import { writeWhileLocked } from './write-while-locked.ts';

const knexConfig = (url: string): Knex.Config => ({ client: 'pg', connection: url });

await companionSuite({
  family: 'postgresql',
  knexConfig,
  itemColumns: `id integer PRIMARY KEY, name text, kind text, price numeric(12, 2)`,
  memberColumns: `tenant varchar(20), id bigint, code bytea, ref uuid, name text, PRIMARY KEY (tenant, id, code)`,
  codeLiteral: (hex) => `'\\x${hex}'`,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  text: 'text',
  columnType: async (knex, table, column) => {
    const answer = await knex.raw(
      `SELECT data_type || ' ' || collation_name AS type FROM information_schema.columns WHERE table_name = ? AND column_name = ?`,
      [table, column],
    );
    return answer.rows[0].type;
  },
  expectedTypes: { folded: 'text C', order: 'text C' },
  indexNames: async (knex, table) => {
    const answer = await knex.raw('SELECT indexname FROM pg_indexes WHERE tablename = ?', [table]);
    return answer.rows.map(({ indexname }: { indexname: string }) => indexname);
  },
  writeBetween: (knex, url, statements, run) =>
    writeWhileLocked(knex, knexFactory(knexConfig(url)), statements, run),
});
