/** Arrays in rules, requests and rows: kinds of members, operators, and values of requests, as each registry has them. */

import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, jsonb, numeric, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { describe, expectTypeOf, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type SchemaRegistry,
  buildQuery,
  defineQueryRules,
  defineSchemaRegistry,
  runQuery,
} from '../../src/index.ts';
import type { RowOf } from '../../src/rules/index.ts';
import { neverRun } from './never-run.ts';

type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;

const all = ['has', 'notHas', 'hasAny', 'hasAll', 'isEmpty'] as const;

const byHand = defineSchemaRegistry([
  {
    model: 'note',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'tags', kind: 'string[]', nullable: false, primaryKey: false },
      { path: 'sizes', kind: 'integer[]', nullable: true, primaryKey: false },
      {
        path: 'moods',
        kind: 'enum[]',
        enumValues: ['fine', 'bad'],
        nullable: true,
        primaryKey: false,
      },
    ],
    relations: [],
  },
]);
const root = { root: { allowed: ['id', 'tags', 'sizes', 'moods'], default: ['id'] } } as const;

const notes = pgTable('notes', {
  id: integer().primaryKey(),
  tags: text().array().notNull(),
  keys: uuid().array(),
  sums: numeric().array(),
  moods: pgEnum('mood', ['fine', 'bad'])().array().notNull(),
  grid: integer().array().array(),
  codes: jsonb(),
});

describe('arrays', () => {
  it('take the operators of arrays alone', () => {
    defineQueryRules(byHand, 'note', {
      filters: [
        { path: 'tags', operators: all },
        { path: 'sizes', operators: [...all, 'isNull'] },
      ],
      fields: root,
    });
    if (neverRun()) {
      const compared = [{ path: 'tags', operators: ['eq'] }] as const;
      const single = [{ path: 'id', operators: ['has'] }] as const;
      const nulls = [{ path: 'tags', operators: ['isNull'] }] as const;
      // @ts-expect-error an array is not compared as a whole
      defineQueryRules(byHand, 'note', { filters: compared, fields: root });
      // @ts-expect-error a number has no members
      defineQueryRules(byHand, 'note', { filters: single, fields: root });
      // @ts-expect-error the array is never null
      defineQueryRules(byHand, 'note', { filters: nulls, fields: root });
      // @ts-expect-error arrays have no order
      defineQueryRules(byHand, 'note', { sorts: ['tags'], fields: root });
      // @ts-expect-error arrays are not searched
      defineQueryRules(byHand, 'note', { search: ['tags'], fields: root });
    }
  });

  it('are asked for by values of their members', () => {
    const rules = defineQueryRules(byHand, 'note', {
      filters: [
        { path: 'tags', operators: all },
        { path: 'sizes', operators: all },
        { path: 'moods', operators: all },
      ],
      fields: root,
    });
    buildQuery(rules, {
      filter: {
        tags: { has: 'a', hasAny: ['a', 'b'], isEmpty: false },
        sizes: { hasAll: [1, 2n] },
        moods: { hasAny: ['fine'] },
      },
    });
    if (neverRun()) {
      // @ts-expect-error the members are texts
      buildQuery(rules, { filter: { tags: { has: 1 } } });
      // @ts-expect-error a list of values
      buildQuery(rules, { filter: { sizes: { hasAny: 1 } } });
      // @ts-expect-error not a member of the enum
      buildQuery(rules, { filter: { moods: { has: 'angry' } } });
    }
  });

  it('are shown as lists whose members may be null', () => {
    type Row = RowOf<ShapeIn<typeof byHand>, 'note'>;
    expectTypeOf<Row['tags']>().toEqualTypeOf<(string | null)[] | undefined>();
    expectTypeOf<Row['sizes']>().toEqualTypeOf<(number | null)[] | null | undefined>();
    expectTypeOf<Row['moods']>().toEqualTypeOf<('fine' | 'bad' | null)[] | null | undefined>();
  });

  it('have the kinds of Drizzle columns', () => {
    const tables = { note: notes };
    const registry = drizzleRegistry(tables, {}, { note: { codes: { kind: 'string[]' } } });
    const rules = defineQueryRules(registry, 'note', {
      filters: [
        { path: 'tags', operators: all },
        { path: 'moods', operators: all },
        { path: 'codes', operators: [...all, 'isNull'] },
      ],
      fields: {
        root: { allowed: ['tags', 'keys', 'sums', 'moods', 'grid', 'codes'], default: ['tags'] },
      },
    });
    const source = drizzleSource({ db: drizzle.mock(), registry, tables, model: 'note' });
    const list = () => runQuery(source, '', rules);
    type Row = Awaited<ReturnType<typeof list>>['data'][number];
    expectTypeOf<Row['tags']>().toEqualTypeOf<(string | null)[] | undefined>();
    expectTypeOf<Row['keys']>().toEqualTypeOf<(string | null)[] | null | undefined>();
    expectTypeOf<Row['sums']>().toEqualTypeOf<(string | null)[] | null | undefined>();
    expectTypeOf<Row['moods']>().toEqualTypeOf<('fine' | 'bad' | null)[] | undefined>();
    expectTypeOf<Row['codes']>().toEqualTypeOf<(string | null)[] | null | undefined>();
    if (neverRun()) {
      const filters = [{ path: 'grid', operators: ['has'] }] as const;
      const fields = { root: { allowed: ['id'], default: ['id'] } } as const;
      // @ts-expect-error arrays of arrays are opaque
      defineQueryRules(registry, 'note', { filters, fields });
    }
  });

  it('have the kinds of declared columns', () => {
    const tables = sqlTables({
      note: {
        table: 'notes',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          tags: 'text[]',
          sums: { type: 'numeric(10, 2)[]', nullable: true },
          moods: { type: 'mood[]', enumValues: ['fine', 'bad'] },
          codes: { type: 'jsonb', kind: 'integer[]' },
        },
      },
    });
    const registry = sqlRegistry(tables);
    defineQueryRules(registry, 'note', {
      filters: [{ path: 'sums', operators: ['has', 'isNull'] }],
      fields: { root: { allowed: ['tags', 'sums', 'moods', 'codes'], default: ['tags'] } },
    });
    type Row = RowOf<ShapeIn<typeof registry>, 'note'>;
    expectTypeOf<Row['tags']>().toEqualTypeOf<(string | null)[] | undefined>();
    expectTypeOf<Row['sums']>().toEqualTypeOf<(string | null)[] | null | undefined>();
    expectTypeOf<Row['moods']>().toEqualTypeOf<('fine' | 'bad' | null)[] | undefined>();
    expectTypeOf<Row['codes']>().toEqualTypeOf<(number | null)[] | undefined>();
  });
});
