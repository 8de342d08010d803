/** The companion migration on MySQL or MariaDB. */

import knexFactory from 'knex';
import type { Knex } from 'knex';
import { companionSuite } from './suite.ts';
import { writeWhileLocked } from './write-while-locked.ts';

const knexConfig = (url: string): Knex.Config => ({ client: 'mysql2', connection: url });

await companionSuite({
  family: 'mysql',
  knexConfig,
  itemColumns: `id int PRIMARY KEY, name varchar(100), kind varchar(20), price decimal(12, 2)`,
  memberColumns: `tenant varchar(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci, id bigint unsigned, code binary(2),
    ref char(36) COLLATE utf8mb4_bin, name text, PRIMARY KEY (tenant, id, code)`,
  codeLiteral: (hex) => `X'${hex}'`,
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  text: 'varchar(50)',
  columnType: async (knex, table, column) => {
    const [rows] = await knex.raw(
      `SELECT COLUMN_TYPE AS type, COLLATION_NAME AS collation_name FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?`,
      [table, column],
    );
    return `${rows[0].type} ${rows[0].collation_name.replace('nopad', '0900')}`;
  },
  expectedTypes: { folded: 'varchar(300) utf8mb4_0900_bin', order: 'varchar(5) utf8mb4_0900_bin' },
  indexNames: async (knex, table) => {
    const [rows] = await knex.raw(
      'SELECT INDEX_NAME AS name FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?',
      [table],
    );
    return rows.map(({ name }: { name: string }) => name);
  },
  writeBetween: (knex, url, statements, run) =>
    writeWhileLocked(knex, knexFactory(knexConfig(url)), statements, run),
});
