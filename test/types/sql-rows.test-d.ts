/** Paths, kinds and rows follow from tables that are declared for plain connections. */

import pg from 'pg';
import { describe, expectTypeOf, it } from 'vitest';
import { type SqlRow, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery, type SchemaRegistry } from '../../src/index.ts';

const tables = sqlTables({
  user: {
    table: 'users',
    primaryKey: 'id',
    columns: {
      id: 'int',
      name: { type: 'varchar(80)', column: 'full_name' },
      nameFolded: 'text',
      mood: { type: 'mood', enumValues: ['sad', 'happy'], portableOrderField: 'moodKey' },
      moodKey: 'text',
      big: 'INT8',
      price: { type: 'numeric(10, 2)', nullable: true },
      active: 'tinyint(1)',
      seenAt: { type: 'timestamp(3) with time zone', nullable: true },
      flag: { type: 'integer', kind: 'boolean' },
      secret: { type: 'text', internal: true },
      companyId: { type: 'int', nullable: true },
    },
    relations: { company: { one: 'company', from: 'companyId' } },
  },
  company: {
    table: 'companies',
    primaryKey: ['id'],
    columns: { id: 'int', name: 'text' },
    relations: { users: { many: 'user', to: 'companyId' } },
  },
});
const registry = sqlRegistry(tables);

type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;
type Shape = ShapeIn<typeof registry>;
type User = SqlRow<typeof tables, 'user'>;

describe('declared tables', () => {
  it('give kinds by path and targets by relation', () => {
    expectTypeOf<Shape['company']>().toEqualTypeOf<{
      readonly fields: { readonly id: 'integer'; readonly name: 'string' };
      readonly values: { readonly id: number; readonly name: string };
      readonly folded: { readonly id: false; readonly name: false };
      readonly relations: {
        readonly users: { readonly target: 'user'; readonly cardinality: 'many' };
      };
    }>();
    expectTypeOf<Shape['user']['fields']>().toEqualTypeOf<{
      readonly id: 'integer';
      readonly name: 'string';
      readonly mood: 'enum';
      readonly big: 'bigint';
      readonly price: 'decimal';
      readonly active: 'boolean';
      readonly seenAt: 'datetime';
      readonly flag: 'boolean';
      readonly companyId: 'integer';
    }>();
  });

  it('have companions by either spelling, which rules cannot name', () => {
    const spelled = sqlRegistry({
      item: {
        table: 'items',
        primaryKey: 'id',
        columns: {
          id: 'int',
          name: 'text',
          name_folded: 'text',
          price: 'numeric(10, 2)',
          price_order: 'text',
          cost: 'numeric(10, 2)',
          costOrder: 'text',
        },
      },
    });
    type Item = ShapeIn<typeof spelled>['item'];
    expectTypeOf<keyof Item['fields']>().toEqualTypeOf<'id' | 'name' | 'price' | 'cost'>();
    expectTypeOf<Item['folded']['name']>().toEqualTypeOf<true>();
  });

  it('give typed rows', () => {
    expectTypeOf<User['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['mood']>().toEqualTypeOf<'sad' | 'happy' | undefined>();
    expectTypeOf<User['price']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<User['flag']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<NonNullable<User['company']>['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<keyof User & ('secret' | 'nameFolded' | 'moodKey')>().toBeNever();
  });

  it('refuse wrong paths, and type the result', async () => {
    const rules = defineQueryRules(registry, 'user', {
      filters: [
        { path: 'company.name', operators: ['eq'] },
        // @ts-expect-error unknown field
        { path: 'company.nope', operators: ['eq'] },
      ],
      fields: { root: { allowed: ['id', 'mood'], default: ['id'] } },
    });
    const connection = new pg.Pool();
    const source = sqlSource({ connection, registry, tables, model: 'user' });
    const { data } = await runQuery(source, '', rules);
    expectTypeOf(data[0]?.mood).toEqualTypeOf<'sad' | 'happy' | undefined>();
    // @ts-expect-error the rules do not show it
    expectTypeOf(data[0]?.name).toBeAny();
    // @ts-expect-error unknown model
    sqlSource({ connection, registry, tables, model: 'nope' });
    // @ts-expect-error not a connection
    sqlSource({ connection: { url: '' }, registry, tables, model: 'user' });
  });
});
