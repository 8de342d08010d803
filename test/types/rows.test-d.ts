/** The type of a row is inferred from the Drizzle table and from the registry's shape. */

import { relations } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type DrizzleRow,
  drizzleRegistry,
  drizzleSource,
} from '../../src/adapters/drizzle/index.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  type CompiledQueryRules,
  defineQueryRules,
  runQuery,
  type SchemaRegistry,
} from '../../src/index.ts';
import type { RowOf } from '../../src/rules/index.ts';

const mood = pg.pgEnum('mood', ['sad', 'happy']);

const users = pg.pgTable('users', {
  id: pg.uuid().primaryKey(),
  name: pg.text().notNull(),
  nameFolded: pg.text().notNull(),
  size: pg.text({ enum: ['s', 'm'] }),
  mood: mood().notNull(),
  age: pg.integer(),
  big: pg.bigint({ mode: 'number' }).notNull(),
  price: pg.numeric({ mode: 'number' }).notNull(),
  active: pg.boolean().notNull(),
  born: pg.date({ mode: 'date' }),
  createdAt: pg.timestamp({ withTimezone: true }).notNull(),
  settings: pg.jsonb().$type<{ theme: string }>(),
  code: pg.text().notNull(),
  odd: pg.real(),
  companyId: pg.integer(),
});
const companies = pg.pgTable('companies', {
  id: pg.integer().primaryKey(),
  name: pg.text().notNull(),
});

const tables = { user: users, company: companies };
const registry = drizzleRegistry(
  tables,
  {
    userRelations: relations(users, ({ one }) => ({
      company: one(companies, { fields: [users.companyId], references: [companies.id] }),
    })),
    companyRelations: relations(companies, ({ many }) => ({ users: many(users) })),
  },
  { user: { odd: false, code: { kind: 'decimal' } } },
);

type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;
type Shape = ShapeIn<typeof registry>;
type User = DrizzleRow<typeof tables, 'user', Shape>;

describe('the shape of a derived registry', () => {
  it('has kinds by property and targets by relation', () => {
    expectTypeOf<Shape['company']>().toEqualTypeOf<{
      readonly native: true;
      readonly fields: { readonly id: 'integer'; readonly name: 'string' };
      readonly values: { readonly id: number; readonly name: string };
      readonly folded: { readonly id: false; readonly name: false };
      readonly relations: {
        readonly users: { readonly target: 'user'; readonly cardinality: 'many' };
      };
    }>();
    expectTypeOf<Shape['user']['fields']['mood']>().toEqualTypeOf<'enum'>();
    expectTypeOf<Shape['user']['values']['mood']>().toEqualTypeOf<'sad' | 'happy'>();
    expectTypeOf<Shape['user']['values']['age']>().toEqualTypeOf<number | null>();
    expectTypeOf<Shape['user']['folded']['name']>().toEqualTypeOf<true>();
    expectTypeOf<Shape['user']['folded']['code']>().toEqualTypeOf<false>();
    expectTypeOf<Shape['user']['fields']['size']>().toEqualTypeOf<'enum'>();
    expectTypeOf<keyof Shape['user']['fields'] & ('nameFolded' | 'odd')>().toBeNever();
    expectTypeOf<Shape['user']>().not.toBeAny();
  });

  it('has companions by either spelling, which rules cannot name', () => {
    const spelled = drizzleRegistry({
      item: pg.pgTable('items', {
        id: pg.integer().primaryKey(),
        name: pg.text().notNull(),
        name_folded: pg.text().notNull(),
        price: pg.numeric().notNull(),
        price_order: pg.text().notNull(),
        cost: pg.numeric().notNull(),
        costOrder: pg.text().notNull(),
      }),
    });
    type Item = ShapeIn<typeof spelled>['item'];
    expectTypeOf<keyof Item['fields']>().toEqualTypeOf<'id' | 'name' | 'price' | 'cost'>();
    expectTypeOf<Item['folded']['name']>().toEqualTypeOf<true>();
  });

  it('is the same for the same table in every family', () => {
    const inMySql = drizzleRegistry({
      row: my.mysqlTable('rows', { id: my.serial().primaryKey(), at: my.datetime() }),
    });
    const inSqlite = drizzleRegistry({
      row: lite.sqliteTable('rows', {
        id: lite.integer().primaryKey(),
        at: lite.integer({ mode: 'timestamp_ms' }),
        flag: lite.integer({ mode: 'boolean' }),
        json: lite.text({ mode: 'json' }),
      }),
    });
    expectTypeOf<ShapeIn<typeof inMySql>['row']['fields']>().toEqualTypeOf<{
      readonly id: 'bigint';
      readonly at: 'datetime';
    }>();
    expectTypeOf<ShapeIn<typeof inSqlite>['row']['fields']>().toEqualTypeOf<{
      readonly id: 'integer';
      readonly at: 'datetime';
      readonly flag: 'boolean';
      readonly json: 'json';
    }>();
  });
});

describe('DrizzleRow', () => {
  it('has the JSON form of every column', () => {
    expectTypeOf<User>().not.toBeAny();
    expectTypeOf<User['id']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['size']>().toEqualTypeOf<'s' | 'm' | null | undefined>();
    expectTypeOf<User['mood']>().toEqualTypeOf<'sad' | 'happy' | undefined>();
    expectTypeOf<User['age']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<User['big']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['price']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['active']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<User['born']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<User['createdAt']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<User['settings']>().toEqualTypeOf<{ theme: string } | null | undefined>();
  });

  it('has included relations as rows, however deep', () => {
    type Company = NonNullable<User['company']>;
    expectTypeOf<Company['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<null>().toExtend<User['company']>();
    expectTypeOf<NonNullable<Company['users']>[number]['age']>().toEqualTypeOf<
      number | null | undefined
    >();
  });

  it('has no internal or omitted field', () => {
    expectTypeOf<keyof User & ('nameFolded' | 'odd' | 'nmae')>().toBeNever();
  });

  it('has unknown relations where the registry has no type', () => {
    type Loose = DrizzleRow<typeof tables, 'company'>;
    expectTypeOf<Loose['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Loose['users']>().toBeUnknown();
  });
});

describe('runQuery', () => {
  const db = drizzle('postgres://localhost/none');
  const source = drizzleSource({ db, registry, tables, model: 'user' });
  const rules = defineQueryRules(registry, 'user', {
    fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
  });

  it('returns the fields that the rules show, without a cast', async () => {
    const [row] = (await runQuery(source, 'page=1', rules)).data;
    expectTypeOf(row).not.toBeAny();
    expectTypeOf(row).toEqualTypeOf<{ id?: string; name?: string } | undefined>();
    // @ts-expect-error unknown field
    expectTypeOf(row?.nmae).toBeAny();
    // @ts-expect-error the rules do not show it
    expectTypeOf(row?.age).toBeAny();
    // @ts-expect-error the rules do not include it
    expectTypeOf(row?.company).toBeAny();
  });

  it('returns whole rows of the table where the compiler does not know the rules', async () => {
    const unknownRules: CompiledQueryRules = rules;
    const [row] = (await runQuery(source, 'page=1', unknownRules)).data;
    expectTypeOf(row).toEqualTypeOf<User | undefined>();
    expectTypeOf(row?.company?.name).toEqualTypeOf<string | undefined>();
    // @ts-expect-error unknown field
    expectTypeOf(row?.nmae).toBeAny();
  });
});

describe('RowOf', () => {
  it('has the types of a shape', () => {
    type Row = RowOf<Shape, 'user'>;
    expectTypeOf<Row['big']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['age']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<
      NonNullable<NonNullable<Row['company']>['users']>[number]['active']
    >().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<RowOf<{ [model: string]: never }, 'x'>>().toEqualTypeOf<{
      [field: string]: unknown;
    }>();
  });
});
