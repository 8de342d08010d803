/** Values over relations on SQLite: one statement, exact sums, and conditions that do not leave their rules. */

import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type Predicate,
  type Row,
  defineQueryRules,
  defineSchemaRegistry,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';

describe('values over relations', () => {
  const statements: string[] = [];
  const client = new Sqlite(':memory:', { verbose: (text) => statements.push(String(text)) });
  client.exec(`
    create table accounts (id integer primary key not null, name text not null);
    create table entries (id integer primary key not null, account_id integer not null references accounts(id),
      cents bigint not null, amount decimal(10, 2), rate real, state text not null);
    insert into accounts values (1, 'a'), (2, 'b'), (3, 'c');
    insert into entries values
      (1, 1, 9007199254740993, 0.1, 0.5, 'open'), (2, 1, 9007199254740994, 0.2, 0.25, 'paid'),
      (3, 2, 9223372036854775807, 20, null, 'open'), (4, 2, 9223372036854775807, null, null, 'open'),
      (5, 2, -4, 99.99, 1, 'paid');
  `);
  afterAll(() => client.close());
  const state = (value: string): Predicate => ({
    type: 'condition',
    path: 'state',
    operator: 'eq',
    value,
  });
  const made = (async () => {
    const registry = await introspect(client);
    const { tables } = registry;
    const source = sqlSource({ connection: client, registry, tables, model: 'accounts' });
    const rulesOf = (wanted: string) =>
      defineQueryRules(registry, 'accounts', {
        aggregates: {
          entries: {
            count: true,
            sum: ['cents', 'amount', 'rate', 'id'],
            max: ['amount'],
            where: { wanted: state(wanted) },
          },
        },
        filters: [
          { path: 'entries.$sum.amount', operators: ['eq', 'gt'] },
          { path: 'entries.$sum.cents', operators: ['gt'] },
          { path: 'entries.$count.wanted', operators: ['gte'] },
        ],
        sorts: ['id', 'entries.$count.wanted', 'entries.$sum.amount'],
        fields: {
          root: {
            allowed: [
              'id',
              'entries.$count.wanted',
              'entries.$sum.cents',
              'entries.$sum.amount',
              'entries.$sum.rate',
              'entries.$sum.id',
              'entries.$max.amount',
            ],
            default: ['id'],
          },
        },
        pagination: { mode: 'both' },
      });
    return { source, rulesOf };
  })();

  it('adds up exactly, and fails for no rows', async () => {
    const { source, rulesOf } = await made;
    const request =
      'fields=id,entries.$sum.cents,entries.$sum.amount,entries.$sum.rate,entries.$sum.id,entries.$max.amount';
    const { data } = await runQuery(source, request, rulesOf('open'));
    expect(data).toEqual([
      {
        id: 1,
        'entries.$sum.cents': '18014398509481987',
        'entries.$sum.amount': '0.3',
        'entries.$sum.rate': 0.75,
        'entries.$sum.id': '3',
        'entries.$max.amount': '0.2',
      },
      {
        id: 2,
        // More than 64 bits have the 15 digits of decimals.
        'entries.$sum.cents': '18446744073709552000',
        'entries.$sum.amount': '119.99',
        'entries.$sum.rate': 1,
        'entries.$sum.id': '12',
        'entries.$max.amount': '99.99',
      },
      {
        id: 3,
        'entries.$sum.cents': null,
        'entries.$sum.amount': null,
        'entries.$sum.rate': null,
        'entries.$sum.id': null,
        'entries.$max.amount': null,
      },
    ]);
    const equal = await runQuery(source, 'filter[entries.$sum.amount]=0.3', rulesOf('open'));
    expect(equal.data).toEqual([{ id: 1 }]);
    const above = 'filter[entries.$sum.cents][gt]=18014398509482000';
    expect((await runQuery(source, above, rulesOf('open'))).data).toEqual([{ id: 2 }]);
  });

  it('keeps apart conditions of one name in the statements that rules share', async () => {
    const { source, rulesOf } = await made;
    const rules = [rulesOf('open'), rulesOf('paid')];
    const requests = [
      'fields=id,entries.$count.wanted',
      'filter[entries.$count.wanted][gte]=2',
      'sort=-entries.$count.wanted,id&perPage=1',
    ];
    const answers = [];
    for (const request of requests) {
      for (const each of rules) {
        const { data } = await runQuery(source, request, each);
        answers.push(data.map((row) => Object.values(row)));
      }
    }
    expect(answers).toEqual([
      [
        [1, 1],
        [2, 2],
        [3, 0],
      ],
      [
        [1, 1],
        [2, 1],
        [3, 0],
      ],
      [[2]],
      [],
      [[2]],
      [[1]],
    ]);
  });

  it('takes one statement for a page and walks its order by cursor', async () => {
    const { source, rulesOf } = await made;
    const rules = rulesOf('open');
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      statements.length = 0;
      const page: { data: readonly Row[]; nextCursor?: string | null } = await runQuery(
        source,
        `sort=-entries.$sum.amount&fields=id,entries.$sum.amount&perPage=1&cursor=${encodeURIComponent(cursor)}`,
        rules,
      );
      expect(statements.filter((text) => /^select/i.test(text))).toHaveLength(1);
      seen.push(...page.data.map((row) => row['id']));
      cursor = page.nextCursor ?? null;
      if (seen.length > 5) break;
    }
    expect(seen).toEqual([2, 1, 3]);
  });

  it('finds the keys of a page before it works out what the page shows', async () => {
    const { source, rulesOf } = await made;
    statements.length = 0;
    await runQuery(source, 'fields=id,entries.$sum.amount&perPage=1&page=2', rulesOf('open'));
    const [rows = ''] = statements.filter((text) => text.includes('sum('));
    expect(rows).toMatch(/from \(select .* limit .*\) as "t\d" cross join "accounts"/);
  });

  it('is shown for one row', async () => {
    const { source, rulesOf } = await made;
    const row = await runOne(source, 2, 'fields=entries.$count.wanted', rulesOf('open'));
    expect(row).toEqual({ 'entries.$count.wanted': 2 });
  });
});

describe('values that the storage does not have', () => {
  it('are refused with the source', async () => {
    const client = new Sqlite(':memory:');
    client.exec(`
      create table accounts (id integer primary key not null);
      create table entries (id integer primary key not null, account_id integer not null references accounts(id), amount text);
    `);
    const found = await introspect(client);
    const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
    const amount = { path: 'amount', kind: 'decimal', nullable: true, primaryKey: false } as const;
    const registry = defineSchemaRegistry([
      {
        model: 'accounts',
        primaryKey: ['id'],
        fields: [id],
        relations: [{ path: 'entries', target: 'entries', cardinality: 'many', nullable: false }],
      },
      { model: 'entries', primaryKey: ['id'], fields: [id, amount], relations: [] },
    ]);
    const { tables } = found;
    const source = sqlSource({ connection: client, registry, tables, model: 'accounts' });
    const rules = defineQueryRules(registry, 'accounts', {
      aggregates: { entries: { sum: ['amount'] } },
      fields: { root: { allowed: ['id', 'entries.$sum.amount'], default: ['id'] } },
    });
    expect(refusalOf(() => source.prepare({} as never, rules, {})).message).toContain(
      'stores decimals as text',
    );
    const large = defineQueryRules(
      registry,
      'accounts',
      {
        aggregates: {
          entries: {
            count: true,
            where: { large: { type: 'condition', path: 'amount', operator: 'gt', value: '5' } },
          },
        },
        fields: { root: { allowed: ['id', 'entries.$count.large'], default: ['id'] } },
      },
      { families: ['sqlite'] },
    );
    expect(refusalOf(() => source.prepare({} as never, large, {})).message).toContain(
      'entries.amount',
    );
    client.close();
  });
});
