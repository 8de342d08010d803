/** Groups and quantifiers on rows with nulls answer as the SQL that a person writes, which has NOT where a request has it. */

import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { type CountedResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { holds } from '../seed.ts';

/** A tree of groups as a request and as SQL that a person would write. */
interface Written {
  readonly pairs: readonly string[];
  readonly sql: string;
}

describe('groups and quantifiers on rows with nulls', () => {
  const client = new Sqlite(':memory:');
  client.exec(`
    create table makers (id integer primary key not null, name text);
    create table items (id integer primary key not null, a integer, b text, maker_id integer references makers(id));
    create table parts (id integer primary key not null, item_id integer not null references items(id), n integer, t text);
    insert into makers values (1, 'x'), (2, null);
  `);
  const values = [null, 1, 2];
  let id = 0;
  for (const a of values) {
    for (const b of [null, 'x', 'y']) {
      for (const maker of values) {
        id += 1;
        client.prepare('insert into items values (?, ?, ?, ?)').run(id, a, b, maker);
        for (let part = 0; part < id % 4; part += 1) {
          client
            .prepare('insert into parts (item_id, n, t) values (?, ?, ?)')
            .run(id, values[(id + part) % 3], [null, 'x', 'y'][(id * 2 + part) % 3]);
        }
      }
    }
  }
  afterAll(() => client.close());

  const leaf = (
    columns: readonly [string, string, string][],
  ): fc.Arbitrary<(prefix: string) => Written> =>
    fc
      .tuple(
        fc.constantFrom(...columns),
        fc.constantFrom('eq', 'ne', 'in', 'notIn', 'between', 'gte', 'isNull', 'empty', 'like'),
        fc.constantFrom('true', 'false'),
      )
      .map(([[path, column, value], operator, flag]) => (prefix) => {
        const text = `'${value}'`;
        const forms: { readonly [operator: string]: readonly [string, string, string] } = {
          eq: ['eq', value, `${column} = ${text}`],
          ne: ['ne', value, `${column} <> ${text}`],
          in: ['in', `${value},${value}`, `${column} in (${text})`],
          notIn: ['notIn', value, `${column} not in (${text})`],
          between: ['between', `${value},${value}`, `${column} between ${text} and ${text}`],
          gte: ['gte', value, `${column} >= ${text}`],
          isNull: ['isNull', flag, `${column} is ${flag === 'true' ? '' : 'not '}null`],
          empty: ['notIn', '', '1 = 1'],
          like: ['ne', value, `not (${column} = ${text})`],
        };
        const [name, operand, sql] = forms[operator] ?? ['eq', value, ''];
        return { pairs: [`${prefix}[${path}][${name}]=${operand}`], sql: `(${sql})` };
      });

  type Tree = (prefix: string, level: number) => Written;
  const treeOf = (
    leaves: fc.Arbitrary<(prefix: string) => Written>,
    related: fc.Arbitrary<Tree> | null,
  ) =>
    fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaves.map(
          (one): Tree =>
            (prefix) =>
              one(prefix),
        ),
        fc
          .tuple(
            fc.constantFrom('or', 'and'),
            fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
          )
          .map(([word, members]): Tree => (prefix, level) => {
            const all = members.map((member, at) =>
              member(`${prefix}[$${word}][${at}]`, level + 1),
            );
            return {
              pairs: all.flatMap(({ pairs }) => pairs),
              sql: `(${all.map(({ sql }) => sql).join(` ${word} `)})`,
            };
          }),
        tie('tree').map((member): Tree => (prefix, level) => {
          const { pairs, sql } = member(`${prefix}[$not]`, level + 1);
          return { pairs, sql: `(not ${sql})` };
        }),
        ...(related ? [related] : []),
      ),
    })).tree;

  const ofParts = treeOf(
    leaf([
      ['n', 'p.n', '1'],
      ['t', 'p.t', 'x'],
    ]),
    null,
  );
  const related = fc
    .tuple(fc.constantFrom('some', 'every', 'none'), ofParts)
    .map(([quantifier, inner]): Tree => (prefix, level) => {
      const { pairs, sql } = inner(`${prefix}[parts][$${quantifier}]`, level);
      const from = 'select 1 from parts as p where p.item_id = i.id and';
      const forms = {
        some: `exists (${from} ${sql})`,
        none: `not exists (${from} ${sql})`,
        every: `not exists (${from} not coalesce(${sql}, 0))`,
      };
      return { pairs, sql: `(${forms[quantifier as keyof typeof forms]})` };
    });
  const ofItems = treeOf(
    leaf([
      ['a', 'i.a', '1'],
      ['b', 'i.b', 'x'],
      ['maker.name', 'm.name', 'x'],
    ]),
    related,
  );
  const byHand = (sql: string): unknown[] =>
    client
      .prepare(
        `select i.id from items as i left join makers as m on m.id = i.maker_id where ${sql} order by i.id`,
      )
      .pluck()
      .all();

  let answered: (request: string) => Promise<unknown[]>;
  beforeAll(async () => {
    const registry = await introspect(client);
    const operators = ['eq', 'ne', 'in', 'notIn', 'between', 'gte', 'isNull'];
    const paths = ['a', 'b', 'maker.name', 'parts.n', 'parts.t'];
    const items = defineQueryRules(
      registry,
      'items',
      {
        filters: paths.map((path) => ({ path, operators })),
        groups: { depth: 8, terms: 50 },
        quantifiers: ['parts'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
      } as never,
      { limits: { cost: 10_000 } },
    );
    const source = sqlSource({
      connection: client,
      registry,
      tables: registry.tables,
      model: 'items',
    });
    answered = async (request) => {
      const { data } = (await runQuery(source, `${request}&perPage=100`, items)) as CountedResult<{
        readonly id: unknown;
      }>;
      return data.map((row) => row.id);
    };
  });

  it('answer as the SQL that a person writes', async () => {
    let found = 0;
    const alike = fc.asyncProperty(ofItems, async (tree) => {
      const { pairs, sql } = tree('filter', 0);
      const depth = Math.max(...pairs.map((pair) => pair.split(/\[\$(?:or|and|not)\]/).length - 1));
      fc.pre(
        depth <= 8 &&
          pairs.length <= 50 &&
          new Set(pairs.map((pair) => pair.split('=')[0])).size === pairs.length,
      );
      const rows = byHand(sql);
      found += rows.length;
      expect({ sql, rows: await answered(pairs.join('&')) }).toEqual({ sql, rows });
    });
    await holds(alike, 400);
    expect(found).toBeGreaterThan(0);
  });
});
