/** Rules with `fields: 'all'` know the fields and relations that rows and requests can have. */

import { relations } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
import { describe, expectTypeOf, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { buildQuery, defineQueryRules, runQuery } from '../../src/index.ts';

const users = pg.pgTable('users', {
  id: pg.integer().primaryKey(),
  name: pg.text().notNull(),
  companyId: pg.integer().notNull(),
});
const companies = pg.pgTable('companies', {
  id: pg.integer().primaryKey(),
  title: pg.text().notNull(),
});
const tables = { user: users, company: companies };
const registry = drizzleRegistry(tables, [
  relations(users, ({ one }) => ({
    company: one(companies, { fields: [users.companyId], references: [companies.id] }),
  })),
  relations(companies, ({ many }) => ({ users: many(users) })),
]);
const db = drizzle.mock();

describe('every field', () => {
  it('of the root and of each include', async () => {
    const rules = defineQueryRules(registry, 'user', { fields: 'all', includes: ['company'] });
    const source = drizzleSource({ db, registry, tables, model: 'user' });
    const { data } = await runQuery(source, '', rules);
    const [row] = data;
    expectTypeOf(row?.name).toEqualTypeOf<string | undefined>();
    expectTypeOf(row?.company?.title).toEqualTypeOf<string | undefined>();
    // @ts-expect-error not an include
    expectTypeOf(row?.company?.users).toEqualTypeOf<undefined>();
    buildQuery(rules, { fields: ['id', 'companyId', 'company.title'] });
    // @ts-expect-error no such field
    buildQuery(rules, { fields: ['nmae'] });
    // @ts-expect-error no such field of the relation
    buildQuery(rules, { fields: ['company.name'] });
  });

  it('of the root alone', async () => {
    const rules = defineQueryRules(registry, 'company', {
      fields: {
        root: 'all',
        relations: { users: { allowed: ['name'], default: ['name'], maxChildren: 5 } },
      },
      includes: ['users'],
    });
    const source = drizzleSource({ db, registry, tables, model: 'company' });
    const { data } = await runQuery(source, '', rules);
    expectTypeOf(data[0]?.title).toEqualTypeOf<string | undefined>();
    expectTypeOf(data[0]?.users?.[0]?.name).toEqualTypeOf<string | undefined>();
    // @ts-expect-error not allowed
    expectTypeOf(data[0]?.users?.[0]?.id).toEqualTypeOf<undefined>();
  });

  it('refuses what does not fit', () => {
    // @ts-expect-error no such relation
    defineQueryRules(registry, 'user', { fields: 'all', includes: ['compnay'] });
    // @ts-expect-error not a word of declarations
    defineQueryRules(registry, 'user', { fields: 'every' });
    defineQueryRules(registry, 'user', {
      // @ts-expect-error the root has no parent
      fields: { root: { allowed: ['id'], default: ['id'], maxChildren: 5 } },
    });
  });
});
