/** Values that tables hold and requests cannot contain, and the reverse: rows are shown and walked past, requests refused. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type IntrospectedRegistry,
  type SqlConnection,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runOne, runQuery } from '../../src/index.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

interface World {
  /** Statements before the rows, such as settings of the session. */
  readonly before?: readonly string[];
  /** Columns by name, with a type and the values of the rows in ascending order; null is before all. */
  readonly columns: Readonly<Record<string, readonly [type: string, values: readonly string[]]>>;
}

const worlds: Readonly<Record<DatabaseFamily, World>> = {
  postgresql: {
    columns: {
      day: [
        'date',
        [
          `'-infinity'`,
          `'4001-02-29 BC'`,
          `'0044-03-15 BC'`,
          `'2024-02-29'`,
          `'12020-01-01'`,
          `'infinity'`,
        ],
      ],
      at: [
        'timestamptz',
        [
          `'-infinity'`,
          `'4000-01-01 00:00:00+00 BC'`,
          `'0001-12-31 23:59:59.999+00 BC'`,
          `'2024-01-01 00:00:00+00'`,
          `'20000-01-01 00:00:00.000001+00'`,
          `'infinity'`,
        ],
      ],
      ratio: ['double precision', [`'-Infinity'`, '-1.5', '0', '1e300', `'Infinity'`, `'NaN'`]],
      short: ['real', [`'-Infinity'`, '-1.5', '0', '1e30', `'Infinity'`, `'NaN'`]],
      amount: ['numeric', [`'-Infinity'`, '-1', '1e-40', '1', `'1e70'`, `'NaN'`]],
      // As far as the types reach.
      era: [
        'date',
        [
          `'4714-11-24 BC'`,
          `'4713-01-01 BC'`,
          `'4001-02-29 BC'`,
          `'2024-02-29'`,
          `'5000000-02-29'`,
          `'5874897-12-31'`,
        ],
      ],
      moment: [
        'timestamptz',
        [
          `'4714-11-24 00:00:00+00 BC'`,
          `'4713-01-01 00:00:00+00 BC'`,
          `'2024-01-01 00:00:00+00'`,
          `'200000-01-01 00:00:00+00'`,
          `'294276-01-01 00:00:00+00'`,
          `'294276-12-31 23:59:59.999999+00'`,
        ],
      ],
      wide: ['numeric', [`'-1e1200'`, `'-1e1000'`, '0', `'1e-1200'`, `'1e1000'`, `'1.5e1200'`]],
    },
  },
  mysql: {
    before: [`set session sql_mode = ''`],
    columns: {
      serial: [
        'bigint unsigned',
        [
          '0',
          '1',
          '9223372036854775807',
          '9223372036854775808',
          '9223372036854775809',
          '18446744073709551615',
        ],
      ],
      padded: [
        'bigint(12) unsigned zerofill',
        ['0', '1', '23', '9223372036854775807', '9223372036854775808', '18446744073709551615'],
      ],
      price: ['decimal(10, 2) unsigned zerofill', ['0', '0.01', '1', '12.5', '99', '99999999.99']],
      truth: ['tinyint(1)', ['-1', '0', '1', '2', '3', '127']],
      // Text is compared as if spaces followed it.
      label: [
        'varchar(20) character set utf8mb4 collate utf8mb4_bin',
        [`'\\0a'`, `'a\\0b'`, `'a\\0c'`, `'a'`, `'b\\0x'`, `'b'`],
      ],
      mood: [`enum('x', 'm', '', 'a', 'b', 'c')`, [`'x'`, `'m'`, `''`, `'a'`, `'b'`, `'c'`]],
      day: [
        'date',
        [
          `'0000-00-00'`,
          `'0000-02-28'`,
          `'0001-01-01'`,
          `'2024-00-00'`,
          `'2024-02-00'`,
          `'9999-12-31'`,
        ],
      ],
      at: [
        'datetime(3)',
        [
          `'0000-00-00 00:00:00'`,
          `'0000-01-01 10:00:00.001'`,
          `'0001-01-01 10:00:00'`,
          `'2024-00-00 00:00:00'`,
          `'2024-02-00 10:11:12'`,
          `'9999-12-31 23:59:59.999'`,
        ],
      ],
    },
  },
  sqlite: {
    columns: {
      millis: [
        'integer',
        [
          '-1700000000001',
          '0',
          '1700000000000',
          '1700000000001',
          '4503599627370496',
          '9007199254740991',
        ],
      ],
      truth: ['boolean', ['-1', '0', '1', '2', '3', '1700000000000']],
      ratio: ['real', ['-9e999', '-1.5', '0', '1e300', '1e301', '9e999']],
      // More digits than requests can distinguish, as computed values have.
      amount: [
        'decimal(20, 5)',
        ['-2.0 / 3', '1e-7 / 3', '0.3', '0.1 + 0.2', '1.0 / 3', '1e17 / 3'],
      ],
    },
  },
};

describe.each(Object.entries(worlds))(
  'values beyond requests on %s',
  (name, { before = [], columns }) => {
    const family = name as DatabaseFamily;
    const types = Object.entries(columns).map(([column, [type]]) => `${column} ${type}`);
    let opened: Opened | undefined;
    let connection: SqlConnection;
    let registry: IntrospectedRegistry;

    beforeAll(async () => {
      const database = await scratchDatabase(family, 'stored_values');
      if ('missing' in database) {
        if (everyServiceRequired()) throw new Error(database.advice);
        return;
      }
      opened = openDriver(family, database);
      ({ connection } = opened);
      const rows = Array.from({ length: 12 }, (_, row) => {
        const values = Object.values(columns).map(([, stored]) => stored[row >> 1]);
        return `insert into odd values (${[row, ...values].join()})`;
      });
      await runScript(opened, [
        ...before,
        `create table odd (id int primary key, ${types.join()})`,
        ...rows,
        `insert into odd (id) values (12)`,
        `create table broken (id int primary key, data ${family === 'sqlite' ? 'json' : 'text'})`,
        `insert into broken values (1, '[1]'), (2, '{broken')`,
      ]);
      registry = await introspect(connection);
    });
    afterAll(() => opened?.close());

    const sourceOf = (model: string) =>
      sqlSource({ connection, registry, tables: registry.tables, model });

    async function walked(sort: string, cursorKeys: string | undefined) {
      const field = sort.replace('-', '');
      const rules = defineQueryRules(
        registry,
        'odd',
        { sorts: [field], fields: 'all', pagination: { mode: 'keyset' } },
        { families: [family], ...(cursorKeys && { cursorKeys }) },
      );
      const walk = new Walk(sourceOf('odd') as never, rules, `sort=${sort}&perPage=1`);
      const { keys: forwards, back } = await walk.forwards();
      return { forwards, backwards: await walk.backwards(back) };
    }

    const rows = Array.from({ length: 12 }, (_, row) => row);
    // The row without a value is where the indexes of the family have it.
    const ascending = family === 'postgresql' ? [...rows, 12] : [12, ...rows];
    const descending = ascending.toReversed();

    it.each(Object.keys(columns))('are walked past, sorted by %s', async (column) => {
      if (!opened) return;
      for (const cursorKeys of [undefined, 'k'.repeat(32)]) {
        const sealed = cursorKeys ? 'sealed' : 'readable';
        for (const [sort, expected] of [
          [column, ascending],
          [`-${column}`, descending],
        ] as const) {
          const { forwards, backwards } = await walked(sort, cursorKeys);
          expect(forwards, `${sort} ${sealed}`).toEqual(expected);
          expect(backwards, `${sort} ${sealed} back`).toEqual(expected.slice(0, -1));
        }
      }
    });

    it('are walked past where they are members that the schema does not have', async () => {
      if (!opened) return;
      // An enum type of PostgreSQL has no order for a text that it cannot read.
      const type = family === 'mysql' ? `enum('a', 'b', 'later')` : 'text';
      const members = ['a', 'b', 'later', ...(family === 'mysql' ? [] : ['😀'])];
      await runScript(opened, [
        `create table moods (id int primary key, mood ${type} not null)`,
        ...members.map((mood, at) => `insert into moods values (${at}, '${mood}')`),
        ...(family === 'mysql' ? [`insert ignore into moods values (3, 'none of them')`] : []),
      ]);
      const mood = { type, kind: 'enum', enumValues: ['a', 'b'] } as const;
      const tables = sqlTables({
        mood: { table: 'moods', primaryKey: 'id', columns: { id: 'integer', mood } },
      });
      const own = sqlRegistry(tables, { families: [family] });
      const source = sqlSource({ connection, registry: own, tables, model: 'mood' });
      const ordered = family === 'mysql' ? [3, 0, 1, 2] : [0, 1, 2, 3];
      for (const cursorKeys of [undefined, 'k'.repeat(32)]) {
        const rules = defineQueryRules(
          own,
          'mood',
          { sorts: ['mood'], fields: 'all', pagination: { mode: 'keyset' } },
          cursorKeys ? { cursorKeys } : {},
        );
        for (const [sort, expected] of [
          ['mood', ordered],
          ['-mood', ordered.toReversed()],
        ] as const) {
          const walk = new Walk(source as never, rules, `sort=${sort}&perPage=1`);
          const { keys: ids } = await walk.forwards();
          expect(ids, `${sort} ${cursorKeys ? 'sealed' : 'readable'}`).toEqual(expected);
        }
      }
    });

    it('are shown, text that is not JSON as null', async () => {
      if (!opened) return;
      const rules = defineQueryRules(registry, 'broken', { fields: 'all' }, { families: [family] });
      const { data } = await runQuery(sourceOf('broken'), '', rules);
      const [kept, broken] = family === 'sqlite' ? [[1], null] : ['[1]', '{broken'];
      expect(data).toEqual([
        { id: 1, data: kept },
        { id: 2, data: broken },
      ]);
    });

    it('are shown without the zeros of ZEROFILL', async (context) => {
      if (!opened || family !== 'mysql') return context.skip();
      const rules = defineQueryRules(registry, 'odd', { fields: 'all' }, { families: [family] });
      const { data } = await runQuery(sourceOf('odd'), 'perPage=50', rules);
      const shown = (column: string) => data.flatMap((row, at) => (at % 2 ? [] : [row[column]]));
      expect(shown('padded')).toEqual([...(columns['padded']?.[1] ?? []), null]);
      expect(shown('price')).toEqual([...(columns['price']?.[1] ?? []), null]);
    });

    it('are refused where the character set of a column lacks them', async (context) => {
      if (!opened || family !== 'mysql') return context.skip();
      await runScript(opened, [
        `create table latin (k varchar(20) character set latin1 primary key, a char(3) character set ascii not null)`,
        `insert into latin values ('ü', 'b')`,
      ]);
      const latin = await introspect(connection, { tables: ['latin'] });
      const source = sqlSource({
        connection,
        registry: latin,
        tables: latin.tables,
        model: 'latin',
      });
      const operators = ['eq', 'notIn', 'gt', 'between', 'like', 'ilike'] as const;
      const rules = defineQueryRules(
        latin,
        'latin',
        {
          filters: [
            { path: 'k', operators },
            { path: 'a', operators },
          ],
          search: ['k'],
          fields: 'all',
        },
        { families: [family] },
      );
      const found = await runQuery(source, 'filter[k]=ü&search=ü', rules);
      expect(found.data).toEqual([{ k: 'ü', a: 'b' }]);
      const refused = { status: 400, code: 'CAPABILITY_UNAVAILABLE' };
      for (const operator of operators) {
        for (const [path, text] of [
          ['k', '😀'],
          ['k', 'ь'],
          ['a', 'é'],
        ] as const) {
          const list = operator === 'between' || operator === 'notIn' ? `${text},${text}` : text;
          const answer = runQuery(source, `filter[${path}][${operator}]=${list}`, rules);
          await expect(answer, `${path} ${operator} ${text}`).rejects.toMatchObject(refused);
        }
      }
      await expect(runQuery(source, 'search=😀', rules)).rejects.toMatchObject(refused);
      await expect(runOne(source, '😀', '', rules)).rejects.toMatchObject(refused);
    });
  },
);
