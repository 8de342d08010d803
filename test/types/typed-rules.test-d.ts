/** Wrong paths and operators in a rules literal do not compile where the registry is typed. */

import { relations } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { describe, it } from 'vitest';
import { drizzleRegistry, manyToMany } from '../../src/adapters/drizzle/index.ts';
import {
  defineQueryRules,
  defineQuerySchema,
  defineSchemaRegistry,
  type QueryRulesDeclaration,
  type QuerySchema,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { neverRun } from './never-run.ts';

const users = pg.pgTable('users', {
  id: pg.integer().primaryKey(),
  name: pg.text().notNull(),
  nameFolded: pg.text().notNull(),
  age: pg.integer(),
  extra: pg.jsonb(),
  secret: pg.text(),
  companyId: pg.integer().notNull(),
});
const companies = pg.pgTable('companies', {
  id: pg.integer().primaryKey(),
  name: pg.text().notNull(),
  nameFolded: pg.text().notNull(),
});
const tags = pg.pgTable('tags', { id: pg.integer().primaryKey(), label: pg.text().notNull() });
const userTags = pg.pgTable('user_tags', {
  userId: pg.integer().references(() => users.id),
  tagId: pg.integer().references(() => tags.id),
});

const registry = drizzleRegistry(
  { user: users, company: companies, tag: tags },
  [
    relations(users, ({ one }) => ({
      company: one(companies, { fields: [users.companyId], references: [companies.id] }),
    })),
    relations(companies, ({ many }) => ({ users: many(users) })),
    manyToMany(users, 'tags', { through: userTags, target: tags }),
  ],
  { user: { secret: { internal: true } } },
);

const fields = { root: { allowed: ['id', 'name'], default: ['id'] } } as const;

describe('a typed registry', () => {
  it('accepts valid rules', () => {
    defineQueryRules(
      registry,
      'user',
      {
        filters: [
          { path: 'name', operators: ['eq', 'like', 'ilike'] },
          { path: 'age', operators: ['gte', 'isNull', 'between'] },
          { path: 'company.name', operators: ['in'] },
          { path: 'company.users.tags.label', operators: ['eq'] },
          { path: 'tags', operators: ['isNull'] },
        ],
        sorts: ['name', 'company.name', { path: 'age', nulls: 'last' }],
        fields: {
          root: { allowed: ['id', 'name', 'age'], default: ['id', 'name'] },
          relations: {
            company: { allowed: ['company.*'], default: ['id', 'company.name'] },
            'company.users': { allowed: ['id', 'name'], default: ['id'] },
            tags: { allowed: ['label'], default: ['label'] },
          },
        },
        includes: ['company', 'company.users', 'tags'],
        search: ['name', 'company.name'],
        pagination: { mode: 'both', count: { capped: 100 } },
      },
      { cursorKeys },
    );
  });

  it('refuses an unknown model', () => {
    // @ts-expect-error the model is called user
    if (neverRun()) defineQueryRules(registry, 'users', { fields });
  });

  it('refuses wrong filter paths and operators', () => {
    if (!neverRun()) return;
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'user', { fields, filters: [{ path: 'nmae', operators: ['eq'] }] });
    // @ts-expect-error unknown operator
    defineQueryRules(registry, 'user', { fields, filters: [{ path: 'name', operators: ['is'] }] });
    defineQueryRules(registry, 'user', {
      fields,
      filters: [
        { path: 'name', operators: ['eq'] },
        // @ts-expect-error unknown field of the target
        { path: 'company.nmae', operators: ['eq'] },
        // @ts-expect-error unknown relation
        { path: 'compnay.name', operators: ['eq'] },
        // @ts-expect-error unknown relation further on
        { path: 'company.users.compnay.name', operators: ['eq'] },
        // @ts-expect-error a field has no fields
        { path: 'name.first', operators: ['eq'] },
        // @ts-expect-error a companion is internal
        { path: 'nameFolded', operators: ['eq'] },
        // @ts-expect-error made internal by an override
        { path: 'secret', operators: ['eq'] },
        // @ts-expect-error an integer has no substrings
        { path: 'age', operators: ['eq', 'like'] },
        // @ts-expect-error json takes no operator
        { path: 'extra', operators: ['isNull'] },
        // @ts-expect-error a relation takes isNull only
        { path: 'company', operators: ['eq'] },
      ],
    });
  });

  it('refuses wrong sorts, includes and search', () => {
    if (!neverRun()) return;
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'user', { fields, sorts: ['name', 'nmae'] });
    // @ts-expect-error unknown field, object form
    defineQueryRules(registry, 'user', { fields, sorts: [{ path: 'nmae', nulls: 'first' }] });
    // @ts-expect-error a direction is not part of the rules
    defineQueryRules(registry, 'user', { fields, sorts: ['-name'] });
    // @ts-expect-error crosses a many relation
    defineQueryRules(registry, 'user', { fields, sorts: ['tags.label'] });
    // @ts-expect-error json has no order
    defineQueryRules(registry, 'user', { fields, sorts: ['extra'] });
    // @ts-expect-error a relation has no order
    defineQueryRules(registry, 'user', { fields, sorts: ['company'] });
    // @ts-expect-error unknown relation
    defineQueryRules(registry, 'user', { fields, includes: ['companies'] });
    // @ts-expect-error a field is not a relation
    defineQueryRules(registry, 'user', { fields, includes: ['name'] });
    // @ts-expect-error not text
    defineQueryRules(registry, 'user', { fields, search: ['age'] });
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'user', { fields, search: ['company.nmae'] });
  });

  it('refuses wrong projections', () => {
    if (!neverRun()) return;
    // @ts-expect-error fields are mandatory
    defineQueryRules(registry, 'user', {});
    defineQueryRules(registry, 'user', {
      // @ts-expect-error unknown field in allowed
      fields: { root: { allowed: ['id', 'nmae'], default: ['id'] } },
    });
    defineQueryRules(registry, 'user', {
      // @ts-expect-error unknown field in default
      fields: { root: { allowed: ['id'], default: ['nmae'] } },
    });
    defineQueryRules(registry, 'user', {
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: {
          // @ts-expect-error unknown relation
          companies: { allowed: ['id'], default: ['id'] },
          // @ts-expect-error a field of another model
          company: { allowed: ['age'], default: ['age'] },
          // @ts-expect-error the wildcard names its relation
          tags: { allowed: ['company.*'], default: ['id'] },
        },
      },
    });
  });

  it('accepts a declaration without types', () => {
    const rules: QueryRulesDeclaration = { fields };
    defineQueryRules(registry, 'user', rules);
  });
});

describe('schemas declared by hand', () => {
  const user = defineQuerySchema({
    model: 'user',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      {
        path: 'name',
        kind: 'string',
        nullable: false,
        primaryKey: false,
        foldedField: 'nameFolded',
      },
      {
        path: 'nameFolded',
        kind: 'string',
        nullable: false,
        primaryKey: false,
        internal: true,
      },
    ],
    relations: [{ path: 'boss', target: 'user', cardinality: 'one', nullable: true }],
  });

  it('are typed by their literals', () => {
    const typed = defineSchemaRegistry([user]);
    defineQueryRules(typed, 'user', { fields, sorts: ['boss.boss.name'] });
    if (!neverRun()) return;
    // @ts-expect-error unknown field
    defineQueryRules(typed, 'user', { fields, sorts: ['boss.boss.nmae'] });
    // @ts-expect-error internal
    defineQueryRules(typed, 'user', { fields, sorts: ['nameFolded'] });
    // @ts-expect-error unknown model
    defineQueryRules(typed, 'usr', { fields });
  });

  it('accept every path in a plain Map, which boot then checks', () => {
    if (!neverRun()) return;
    const map = new Map<string, QuerySchema>([['user', user]]);
    defineQueryRules(map, 'user', { fields, sorts: ['anything.at.all'] });
    const untyped: QuerySchema = user;
    defineQueryRules(defineSchemaRegistry([untyped]), 'user', { fields, sorts: ['anything'] });
  });
});
