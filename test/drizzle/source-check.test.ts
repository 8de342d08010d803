/** Hand-written schemas are compared with the Drizzle tables, and all differences are reported. */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { assertSource, defineQueryRules, runQuery } from '../../src/index.ts';
import type { FieldDescriptor, QuerySchema } from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';

const makers = sqliteTable('makers', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
});
const articles = sqliteTable('articles', {
  id: integer('id').primaryKey(),
  state: text('state', { enum: ['new', 'used'] }).notNull(),
  serial: integer('serial').notNull().unique(),
  makerId: integer('maker_id').references(() => makers.id),
});
const tables = { article: articles, maker: makers };
const links = [
  relations(articles, ({ one }) => ({
    maker: one(makers, { fields: [articles.makerId], references: [makers.id] }),
  })),
  relations(makers, ({ many }) => ({ articles: many(articles) })),
];
const db = drizzle(new Sqlite(':memory:'));

const field = (
  path: string,
  kind: FieldDescriptor['kind'],
  more: Partial<FieldDescriptor> = {},
): FieldDescriptor => ({ path, kind, nullable: false, primaryKey: false, ...more });

const id = field('id', 'integer', { primaryKey: true });
const maker: QuerySchema = {
  model: 'maker',
  primaryKey: ['id'],
  fields: [id, field('name', 'string')],
  relations: [],
};
const article: QuerySchema = {
  model: 'article',
  primaryKey: ['id'],
  fields: [
    id,
    field('state', 'enum', { enumValues: ['new', 'used'] }),
    field('serial', 'bigint'),
    field('makerId', 'integer', { nullable: true }),
  ],
  relations: [{ path: 'maker', target: 'maker', cardinality: 'one', nullable: true }],
};

function check(of: QuerySchema) {
  const registry = new Map<string, QuerySchema>([
    ['article', of],
    ['maker', maker],
  ]);
  const rules = defineQueryRules(registry, 'article', {
    filters: [{ path: 'maker.name', operators: ['eq'] }],
    fields: { root: { allowed: ['state'], default: ['state'] } },
  });
  const source = drizzleSource({ db, registry, tables, model: 'article', relations: links });
  assertSource(source, rules);
}

const differences = (of: QuerySchema) =>
  refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => check(of)).details.differences;

describe('hand-written schemas over Drizzle tables', () => {
  it('are accepted if they match', () => {
    check(article);
  });

  it('decide whether a row always has the one row that refers to it', () => {
    const back = {
      path: 'article',
      target: 'article',
      cardinality: 'one',
      nullable: false,
    } as const;
    const registry = new Map<string, QuerySchema>([
      ['article', article],
      ['maker', { ...maker, relations: [back] }],
    ]);
    const rules = defineQueryRules(registry, 'maker', {
      filters: [{ path: 'article.state', operators: ['eq'] }],
      fields: { root: { allowed: ['name'], default: ['name'] } },
    });
    const own = [links[0], relations(makers, ({ one }) => ({ article: one(articles) }))] as const;
    assertSource(drizzleSource({ db, registry, tables, model: 'maker', relations: own }), rules);
  });

  it('are accepted without relations', async () => {
    const client = new Sqlite(':memory:');
    client.exec(`create table makers (id integer primary key, name text not null);
      insert into makers values (1, 'Ada')`);
    const registry = new Map<string, QuerySchema>([['maker', maker]]);
    const rules = defineQueryRules(registry, 'maker', { fields: 'all' }, { families: ['sqlite'] });
    const on = { db: drizzle(client), tables: { maker: makers } };
    const source = drizzleSource({ ...on, registry, model: 'maker' });
    expect((await runQuery(source, '', rules)).data).toEqual([{ id: 1, name: 'Ada' }]);
    client.close();
  });

  it('are refused for differing enum members, keys or relation nullability, with all differences', () => {
    const fields = [
      { ...id, primaryKey: false },
      field('state', 'enum', { enumValues: ['new', 'used', 'lost'] }),
      field('serial', 'bigint', { primaryKey: true }),
      field('makerId', 'integer', { nullable: true }),
    ];
    const [to] = article.relations;
    const wrong: QuerySchema = {
      ...article,
      primaryKey: ['serial'],
      fields,
      relations: to ? [{ ...to, nullable: false }] : [],
    };
    expect(differences(wrong)).toMatchObject([
      { model: 'article', path: null, rule: 'primaryKey', found: 'id' },
      { model: 'article', path: 'state', rule: 'enumValues', found: 'new, used' },
      { model: 'article', path: 'maker', rule: 'nullable', found: 'true' },
    ]);
  });

  it('are refused for missing columns and columns of another kind before the source is created', () => {
    const fields = [
      id,
      field('state', 'enum', { enumValues: ['new', 'used'], nullable: true }),
      field('serial', 'datetime'),
      field('price', 'decimal'),
    ];
    expect(differences({ ...article, fields })).toMatchObject([
      { model: 'article', path: 'state' },
      { model: 'article', path: 'serial' },
      { model: 'article', path: 'price' },
    ]);
  });
});

describe('a registry derived from the tables', () => {
  it('matches the tables, including the overrides of the host', () => {
    const registry = drizzleRegistry(tables, links, {
      article: {
        serial: { kind: 'bigint', nullable: true },
        state: { enumValues: ['used', 'new'] },
        makerId: false,
        maker: { nullable: false },
      },
    });
    const rules = defineQueryRules(registry, 'article', {
      filters: [{ path: 'maker', operators: ['isNull'] }],
      fields: { root: { allowed: ['state'], default: ['state'] } },
    });
    assertSource(drizzleSource({ db, registry, tables, model: 'article' }), rules);
    const [to] = registry.get('article')?.relations ?? [];
    expect(to).toMatchObject({ path: 'maker', nullable: false });
  });
});
