/** The companion migration on MySQL or MariaDB, with key types of MySQL only. */

import knexFactory from 'knex';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCompanions } from '../../src/relational/companions/index.ts';
import type { FieldDescriptor } from '../../src/schema/index.ts';
import { scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';
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

const found = await scratchDatabase('mysql', 'companion_keys');

describe.skipIf('missing' in found)('companion columns on a MySQL table of special types', () => {
  const database = found as ScratchDatabase;
  let knex: Knex;

  beforeAll(() => {
    knex = knexFactory(knexConfig(database.url));
  });
  afterAll(async () => {
    await knex.destroy();
    await database.drop();
  });

  it('handles enum, decimal and time keys, keeps ON UPDATE columns, and stores long text', async () => {
    await knex.raw(`CREATE TABLE log (level enum('z', 'a', 'm'), cost decimal(30, 10), at datetime(6), day date,
      body mediumtext CHARACTER SET latin1, title varchar(500), changed timestamp(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
      PRIMARY KEY (level, cost, at, day))`);
    await knex.raw(`INSERT INTO log SELECT elt(1 + seq % 3, 'z', 'a', 'm'), seq / 7, '2024-03-10 01:02:03.000001' + INTERVAL seq MICROSECOND,
      '2024-02-28' + INTERVAL seq DAY, concat('\u00c4\0', seq), concat('Title ', seq), '2020-01-01' FROM seq_1_to_200`);
    const fields: FieldDescriptor[] = [
      ...(['level', 'cost', 'at', 'day'] as const).map((path): FieldDescriptor => {
        return { path, kind: 'string', nullable: false, primaryKey: true };
      }),
      {
        path: 'body',
        kind: 'string',
        nullable: true,
        primaryKey: false,
        foldedField: 'body_folded',
      },
      {
        path: 'title',
        kind: 'string',
        nullable: true,
        primaryKey: false,
        foldedField: 'title_folded',
      },
      ...['body_folded', 'title_folded'].map((path): FieldDescriptor => {
        return { path, kind: 'string', nullable: true, primaryKey: false, internal: true };
      }),
    ];
    const schema = {
      model: 'log',
      primaryKey: ['level', 'cost', 'at', 'day'],
      fields,
      relations: [],
    };
    const [report] = await runCompanions(knex, [{ schema }], { batch: 9, index: true });
    expect(report).toMatchObject({ updated: 200, unsettled: 0 });
    expect(report?.indexed).toHaveLength(2);
    const rows = await knex('log').select(
      'body',
      'body_folded',
      'title',
      'title_folded',
      'changed',
    );
    for (const row of rows) {
      expect(row.body_folded).toBe(row.body.toLowerCase());
      expect(row.title_folded).toBe(row.title.toLowerCase());
      expect(row.changed.getFullYear()).toBe(2020);
    }
  });
});
