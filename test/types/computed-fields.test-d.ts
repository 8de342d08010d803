/** Computed fields have types: in rules, in rows of every depth, and in the requests of clients. */

import type { Pool } from 'pg';
import { describe, expectTypeOf, it } from 'vitest';
import {
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { type SchemaRegistry, buildQuery, defineQueryRules, runQuery } from '../../src/index.ts';
import { neverRun } from './never-run.ts';

const tables = sqlTables({
  user: {
    table: 'users',
    primaryKey: 'id',
    columns: { id: 'int', first: 'text', last: 'text', companyId: { type: 'int', nullable: true } },
    relations: { company: { one: 'company', from: 'companyId' } },
  },
  company: { table: 'companies', primaryKey: 'id', columns: { id: 'int', name: 'text' } },
});
const registry = withComputedFields(sqlRegistry(tables), {
  user: {
    fullName: { kind: 'string', nullable: false, sql: `{first} || ' ' || {last}` },
    worth: { kind: 'decimal', sql: '1.5' },
    hidden: { kind: 'integer', sql: '1', internal: true },
  },
  company: { slogan: { kind: 'string', sql: '{name}' } },
});
type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;
type User = ShapeIn<typeof registry>['user'];

const rules = defineQueryRules(
  registry,
  'user',
  {
    filters: [
      { path: 'fullName', operators: ['eq', 'like'] },
      { path: 'worth', operators: ['gt', 'isNull'] },
      { path: 'company.slogan', operators: ['eq'] },
    ],
    sorts: ['worth', 'company.slogan'],
    includes: ['company'],
    fields: {
      root: { allowed: ['id', 'fullName', 'worth'], default: ['id'] },
      relations: { company: { allowed: ['slogan'], default: ['slogan'] } },
    },
  },
  { families: ['postgresql'] },
);

describe('computed fields', () => {
  it('are fields of the model, unless they are internal', () => {
    expectTypeOf<keyof User['fields']>().toEqualTypeOf<
      'id' | 'first' | 'last' | 'companyId' | 'fullName' | 'worth'
    >();
    expectTypeOf<User['fields']['worth']>().toEqualTypeOf<'decimal'>();
  });

  it('have the JSON form of their kind in rows', () => {
    const rowsOf = async (connection: Pool) => {
      const source = sqlSource({ connection, registry, tables, model: 'user' });
      const { data } = await runQuery(source, '', rules);
      return data;
    };
    type Row = Awaited<ReturnType<typeof rowsOf>>[number];
    expectTypeOf<Row['fullName']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Row['worth']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<NonNullable<Row['company']>['slogan']>().toEqualTypeOf<
      string | null | undefined
    >();
    expectTypeOf<keyof Row>().toEqualTypeOf<'id' | 'fullName' | 'worth' | 'company'>();
  });

  it('have typed values in requests', () => {
    if (!neverRun()) return;
    buildQuery(rules, {
      filter: { worth: { gt: '1.5' }, 'company.slogan': 'x' },
      sort: ['-worth'],
    });
    // @ts-expect-error a text is compared with texts
    buildQuery(rules, { filter: { fullName: { eq: 1 } } });
  });

  it('are refused for models, kinds and operators that do not fit', () => {
    if (!neverRun()) return;
    // @ts-expect-error there is no such model
    withComputedFields(sqlRegistry(tables), { team: {} });
    // @ts-expect-error json is not computed
    withComputedFields(sqlRegistry(tables), { user: { a: { kind: 'json', sql: '1' } } });
    defineQueryRules(registry, 'user', {
      // @ts-expect-error it is never null
      filters: [{ path: 'fullName', operators: ['isNull'] }],
      fields: 'all',
    });
    defineQueryRules(registry, 'user', {
      // @ts-expect-error it is internal
      sorts: ['hidden'],
      fields: 'all',
    });
  });
});
