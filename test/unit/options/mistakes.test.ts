/** Mistakes of beginners, and the text that each of them gets: the place, what was expected, and the names that exist. */

import Database from 'better-sqlite3';
import { customType, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../../src/adapters/drizzle/index.ts';
import { introspect, sqlRegistry, sqlSource, sqlTables } from '../../../src/adapters/sql/index.ts';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { ExpressAdapter, bullmqQueue, createBoard } from '../../../src/http/board/index.ts';
import { listEndpoint } from '../../../src/http/express/index.ts';
import {
  buildQuery,
  defineQueryRules,
  defineQuerySchema,
  defineSchemaRegistry,
  planQuery,
  runQuery,
} from '../../../src/index.ts';

const apply = (target: unknown, ...values: unknown[]): unknown =>
  Reflect.apply(target as () => unknown, undefined, values);

const tables = {
  user: {
    table: 'users',
    columns: {
      id: 'integer',
      name: 'text',
      age: 'integer',
      createdAt: 'timestamp',
      companyId: 'integer',
      bag: 'jsonb',
    },
    primaryKey: 'id',
    relations: {
      company: { one: 'company', from: 'companyId' },
      posts: { many: 'post', to: 'userId' },
    },
  },
  company: { table: 'companies', columns: { id: 'integer', name: 'text' }, primaryKey: 'id' },
  post: {
    table: 'posts',
    columns: { id: 'integer', userId: 'integer', title: 'text' },
    primaryKey: 'id',
  },
} as const;

const registry = sqlRegistry(tables);
const fields = { root: { allowed: ['id', 'name'], default: ['id', 'name'] } } as const;
const good = defineQueryRules(registry, 'user', {
  fields,
  filters: [{ path: 'name', operators: ['eq'] }],
  sorts: ['name'],
  pagination: { mode: 'both' },
});

/** Rules with a mistake. */
const rules =
  (mistake: object, settings?: object, model = 'user') =>
  () =>
    apply(defineQueryRules, registry, model, { fields, ...mistake }, settings);

const request = (query: string) => () => planQuery(query, good);

/** The tables with other values at these places, such as `user.columns.createdAt`. */
function changed(values: { readonly [place: string]: unknown }): unknown {
  const copy = structuredClone<unknown>(tables);
  for (const [place, value] of Object.entries(values)) {
    const names = place.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce<unknown>((found, name) => Reflect.get(Object(found), name), copy);
    if (value === undefined) Reflect.deleteProperty(Object(owner), last);
    else Reflect.set(Object(owner), last, value);
  }
  return copy;
}

const declared = (given: unknown) => () => apply(sqlTables, given);

/** A database of tables without keys: one of this name, and `logs`. */
const loose = (name: string) =>
  new Database(':memory:').exec(`create table ${name} (id int); create table logs (at int)`);
const registered = (given: unknown) => () => apply(sqlRegistry, given);

type Mistake = readonly [name: string, call: () => unknown, message: string];

const mistakes: readonly Mistake[] = [
  [
    'misspelt relation in filter',
    rules({ filters: [{ path: 'compnay.name', operators: ['eq'] }] }),
    'rules.filters "compnay.name": user has no relation "compnay"; it has company, posts.',
  ],
  [
    'misspelt relation include',
    rules({ includes: ['compnay'] }),
    'rules.includes "compnay": user has no relation "compnay"; it has company, posts.',
  ],
  [
    'misspelt field filter',
    rules({ filters: [{ path: 'nmae', operators: ['eq'] }] }),
    'rules.filters "nmae": user has no field or relation "nmae"; it has name, id, age, createdAt, companyId, bag, company, posts.',
  ],
  [
    'misspelt deep field filter',
    rules({ filters: [{ path: 'company.nmae', operators: ['eq'] }] }),
    'rules.filters "company.nmae": company has no field or relation "nmae"; it has name, id.',
  ],
  [
    'misspelt sort',
    rules({ sorts: ['craetedAt'] }),
    'rules.sorts "craetedAt": user has no field "craetedAt"; it has createdAt, id, name, age, companyId, bag.',
  ],
  [
    'sort with minus',
    rules({ sorts: ['-createdAt'] }),
    'rules.sorts "-createdAt": a sort is declared without direction, which requests state; drop the "-".',
  ],
  [
    'sort object direction',
    rules({ sorts: [{ path: 'createdAt', direction: 'desc' }] }),
    '"rules.sorts[0].direction" is not an option of defineQueryRules; "rules.sorts[0]" has path, nulls',
  ],
  [
    'misspelt search',
    rules({ search: ['nmae'] }),
    'rules.search "nmae": user has no field "nmae"; it has name, id, age, createdAt, companyId, bag.',
  ],
  [
    'column name in place of path',
    rules({ sorts: ['created_at'] }),
    'rules.sorts "created_at": user has no field "created_at"; it has createdAt, id, name, age, companyId, bag.',
  ],
  [
    'allowed misspelt',
    rules({ fields: { root: { allowed: ['id', 'nmae'], default: ['id'] } } }),
    'rules.fields "root": user has no visible field "nmae"; it has name, id, age, createdAt, companyId, bag.',
  ],
  [
    'default not in allowed',
    rules({ fields: { root: { allowed: ['id'], default: ['name'] } } }),
    'rules.fields "root": default names "name", which allowed does not; add it.',
  ],
  [
    'filters of strings',
    rules({ filters: ['name'] }),
    "\"rules.filters\" must be a list of objects such as { path: 'name', operators: ['eq'] }",
  ],
  [
    'filters as object',
    rules({ filters: { name: ['eq'] } }),
    "\"rules.filters\" must be a list of objects such as { path: 'name', operators: ['eq'] }",
  ],
  [
    'filter operators string',
    rules({ filters: [{ path: 'name', operators: 'eq' }] }),
    '"rules.filters[0].operators" must be a list of strings',
  ],
  [
    'filter field instead of path',
    rules({ filters: [{ field: 'name', operators: ['eq'] }] }),
    '"rules.filters[0].field" is not an option of defineQueryRules; did you mean "rules.filters[0].path"?',
  ],
  [
    'operator misspelt',
    rules({ filters: [{ path: 'name', operators: ['contains'] }] }),
    'rules.filters "name": "contains" is not an operator. name takes like, eq, ne, gt, gte, lt, lte, in, notIn, between, notLike, startsWith, notStartsWith, endsWith, notEndsWith.',
  ],
  [
    'operator equals',
    rules({ filters: [{ path: 'name', operators: ['equals'] }] }),
    'rules.filters "name": "equals" is not an operator. name takes eq, ne, gt, gte, lt, lte, in, notIn, between, like, notLike, startsWith, notStartsWith, endsWith, notEndsWith.',
  ],
  [
    'operator neq',
    rules({ filters: [{ path: 'name', operators: ['neq'] }] }),
    'rules.filters "name": "neq" is not an operator. name takes ne, eq, gt, gte, lt, lte, in, notIn, between, like, notLike, startsWith, notStartsWith, endsWith, notEndsWith.',
  ],
  [
    'operator >=',
    rules({ filters: [{ path: 'age', operators: ['>='] }] }),
    'rules.filters "age": ">=" is not an operator. age takes eq, ne, gt, gte, lt, lte, in, notIn, between.',
  ],
  [
    'like on integer',
    rules({ filters: [{ path: 'age', operators: ['like'] }] }),
    'rules.filters "age": like needs a string, uuid or enum field. age takes eq, ne, gt, gte, lt, lte, in, notIn, between.',
  ],
  [
    'ilike without folded',
    rules({ filters: [{ path: 'name', operators: ['ilike'] }] }),
    'rules.filters "name": ilike needs a foldedField on several families; add a foldedField, or name the one database family of the endpoint in settings.families. name takes like, eq, ne, gt, gte, lt, lte, in, notIn, between, notLike, startsWith, notStartsWith, endsWith, notEndsWith.',
  ],
  [
    'isNull on not null',
    rules({ filters: [{ path: 'name', operators: ['isNull'] }] }),
    'rules.filters "name": the field is never null; drop isNull. name takes eq, ne, gt, gte, lt, lte, in, notIn, between, like, notLike, startsWith, notStartsWith, endsWith, notEndsWith.',
  ],
  [
    'filter on json',
    rules({ filters: [{ path: 'bag', operators: ['eq'] }] }),
    'rules.filters "bag": json fields take no operator; drop the filter.',
  ],
  [
    'eq on relation',
    rules({ filters: [{ path: 'company', operators: ['eq'] }] }),
    'rules.filters "company": eq on a relation; a relation takes only isNull.',
  ],
  [
    'global operators',
    rules({ operators: ['eq'] }),
    "\"rules.operators\" is not an option; each filter has its own, as in { path: 'name', operators: ['eq'] }",
  ],
  [
    'filters alias',
    rules({ filters: [{ path: 'name', operators: ['eq'], alias: 'n' }] }),
    '"rules.filters[0].alias" is not an option; name the path as the schema does',
  ],
  [
    'fields list',
    rules({ fields: ['id', 'name'] }),
    '"rules.fields" must be "all" or an object { root, relations? }',
  ],
  [
    'fields missing',
    () => apply(defineQueryRules, registry, 'user', { filters: [] }),
    '"rules.fields" must be "all" or an object { root, relations? }',
  ],
  [
    'fields root list',
    rules({ fields: { root: ['id'] } }),
    '"rules.fields.root" must be "all" or an object { allowed, default }',
  ],
  [
    'fields allowed only',
    rules({ fields: { allowed: ['id'], default: ['id'] } }),
    '"rules.fields.allowed" is not an option of defineQueryRules; did you mean "rules.fields.root.allowed"?',
  ],
  [
    'include without projection',
    rules({ includes: ['company'] }),
    'rules.includes "company": it has no projection; add fields.relations["company"] with allowed and default.',
  ],
  [
    'include key',
    rules({ include: ['company'] }),
    '"rules.include" is not an option of defineQueryRules; did you mean "rules.includes"?',
  ],
  [
    'relations misnamed',
    rules({ fields: { ...fields, relation: {} } }),
    '"rules.fields.relation" is not an option of defineQueryRules; did you mean "rules.fields.relations"?',
  ],
  [
    'projection of unlisted',
    rules({ fields: { ...fields, relations: { company: { allowed: ['id'], default: ['id'] } } } }),
    'rules.fields "company": it projects a relation that includes does not list; add it.',
  ],
  [
    'pagination type',
    rules({ pagination: { type: 'cursor' } }),
    '"rules.pagination.type" is not an option of defineQueryRules; did you mean "rules.pagination.mode"?',
  ],
  [
    'pagination mode cursor',
    rules({ pagination: { mode: 'cursor' } }),
    '"rules.pagination.mode" must be "offset", "keyset" or "both"',
  ],
  [
    'pagination limit',
    rules({ pagination: { limit: 20 } }),
    '"rules.pagination.limit" is not an option of defineQueryRules; "rules.pagination" has maxUnpaginatedRows, allowUnpaginated, mode, count, mergeBy',
  ],
  [
    'settings maxPageSize',
    rules({}, { maxPageSize: 100 }),
    '"settings.maxPageSize" is not an option of defineQueryRules; did you mean "settings.maxPerPage"?',
  ],
  [
    'settings limit',
    rules({}, { limit: 100 }),
    '"settings.limit" is not an option of defineQueryRules; did you mean "settings.defaultPerPage"?',
  ],
  [
    'settings pageSize',
    rules({}, { pageSize: 10 }),
    '"settings.pageSize" is not an option of defineQueryRules; did you mean "settings.defaultPerPage"?',
  ],
  [
    'settings defaultLimit',
    rules({}, { defaultLimit: 10 }),
    '"settings.defaultLimit" is not an option of defineQueryRules; did you mean "settings.defaultPerPage"?',
  ],
  [
    'settings in rules',
    rules({ maxPerPage: 100 }),
    '"rules.maxPerPage" is a setting; settings are the argument after the rules',
  ],
  [
    'settings family',
    rules({}, { family: 'postgresql' }),
    '"settings.family" is not an option of defineQueryRules; "settings" has defaultPerPage, maxPerPage, maxUnpaginatedRows, allowUnpaginated, maxChildren, families, portable, limits, passthroughParams, countCap, cursorKeys, scopes',
  ],
  [
    'settings families postgres',
    rules({}, { families: ['postgres'] }),
    '"settings.families" must be a list of "postgresql", "mysql", "sqlite", at least one',
  ],
  [
    'keyset hidden',
    rules({ sorts: ['age'], pagination: { mode: 'keyset' } }),
    'rules.pagination: cursors of user hold "age", which fields.root.allowed does not name; allow the field, or set settings.cursorKeys, which encrypts cursors.',
  ],
  [
    'model misspelt',
    rules({}, {}, 'users'),
    'The registry has no model "users"; it has user, company, post.',
  ],
  [
    'registry missing',
    () => apply(defineQueryRules, undefined, 'user', { fields }),
    '"registry" must be a registry of schemas (make it with defineSchemaRegistry)',
  ],
  [
    'args swapped',
    () => apply(defineQueryRules, 'user', registry, { fields }),
    '"registry" must be a registry of schemas (make it with defineSchemaRegistry)',
  ],
  [
    'scopes string',
    rules({}, { scopes: { user: 'tenant' } }),
    '"settings.scopes.user" must be a function or \'unscoped\'',
  ],
  [
    'scopes misspelt model',
    rules({}, { scopes: { user: 'unscoped', usr: 'unscoped' } }),
    'settings.scopes: the registry has no model "usr"; it has user, company, post.',
  ],
  [
    'request include',
    request('include=company'),
    '"include" is not a parameter of this endpoint; did you mean "includes"?',
  ],
  [
    'request limit',
    request('limit=10'),
    '"limit" is not a parameter of this endpoint; did you mean "perPage"?',
  ],
  [
    'request offset',
    request('offset=10'),
    '"offset" is not a parameter of this endpoint; did you mean "page"?',
  ],
  [
    'request pageSize',
    request('pageSize=10'),
    '"pageSize" is not a parameter of this endpoint; did you mean "perPage"?',
  ],
  [
    'request orderBy',
    request('orderBy=name'),
    '"orderBy" is not a parameter of this endpoint; did you mean "sort"?',
  ],
  [
    'request sort_by',
    request('sort_by=name'),
    '"sort_by" is not a parameter of this endpoint; did you mean "sort"?',
  ],
  ['request q', request('q=x'), '"q" is not a parameter of this endpoint; did you mean "search"?'],
  [
    'request select',
    request('select=id'),
    'The request has a parameter that this endpoint does not have; it has filter, search, page, perPage, paginate, cursor, sort, fields, includes.',
  ],
  [
    'request where',
    request('where[name]=x'),
    '"where" is not a parameter of this endpoint; did you mean "filter"?',
  ],
  [
    'request filters',
    request('filters[name]=x'),
    '"filters" is not a parameter of this endpoint; did you mean "filter"?',
  ],
  [
    'request after',
    request('after=abc'),
    '"after" is not a parameter of this endpoint; did you mean "cursor"?',
  ],
  [
    'request per_page',
    request('per_page=10'),
    '"per_page" is not a parameter of this endpoint; did you mean "perPage"?',
  ],
  [
    'request name=x',
    request('name=x'),
    'The request has a parameter that this endpoint does not have; it has filter, search, page, perPage, paginate, cursor, sort, fields, includes.',
  ],
  [
    'request filter=json',
    request('filter={"name":"x"}'),
    '"filter" must be written as filter[path]=value or filter[path][operator]=value.',
  ],
  ['request perPage 1000', request('perPage=1000'), '"perPage" must be at most 500.'],
  [
    'request sort desc',
    request('sort=name:desc'),
    '"sort" must be a path, or a comma-separated list of paths; "-" before a path sorts it descending.',
  ],
  [
    'request sort[]',
    request('sort[name]=desc'),
    '"sort" must be a path, or a comma-separated list of paths; "-" before a path sorts it descending.',
  ],
  [
    'table columns name',
    declared(changed({ 'user.columns.createdAt': { name: 'created_at', type: 'timestamp' } })),
    'user: "columns.createdAt.name" is not an option of table "user"; did you mean "columns.createdAt.column"?',
  ],
  [
    'table no type',
    registered(changed({ 'user.columns.createdAt': { column: 'created_at' } })),
    'user: "columns.createdAt.type" must be a string',
  ],
  [
    'table unknown type',
    registered(changed({ 'user.columns.createdAt': 'timestmap' })),
    'user.createdAt: the type "timestmap" is not known; did you mean "timestamp"? A type of your own needs a kind: { type: \'timestmap\', kind: \'opaque\' }.',
  ],
  [
    'table key misspelt',
    registered(changed({ 'user.primaryKey': 'ID' })),
    'user: "primaryKey" names "ID", which "columns" does not declare; it has id, name, age, createdAt, companyId, bag.',
  ],
  [
    'table no key',
    registered(changed({ 'user.primaryKey': undefined })),
    'user: "primaryKey" must be a string or a list of strings',
  ],
  [
    'table name missing',
    registered(changed({ 'user.name': 'users', 'user.table': undefined })),
    'user: "name" is not an option of table "user"; did you mean "table"?',
  ],
  [
    'table relation target',
    registered(changed({ 'user.relations.company.one': 'companies' })),
    'user.company: no table has model "companies"; there is company, user, post.',
  ],
  [
    'table relation from',
    registered(changed({ 'user.relations.company.from': 'company_id' })),
    'user.company: user has no column "company_id"; it has companyId, id, name, age, createdAt, bag.',
  ],
  [
    'table relation to',
    registered(changed({ 'user.relations.posts.to': 'user_id' })),
    'user.posts: post has no column "user_id"; it has userId, id, title.',
  ],
  [
    'table relation both',
    registered(changed({ 'user.relations.posts.one': 'user' })),
    'user.posts: the relation names both "one" and "many".',
  ],
  [
    'table relation type',
    registered(changed({ 'user.relations.posts': { type: 'many', target: 'post' } })),
    'user: "relations.posts.type" is not an option of table "user"; "relations.posts" has one, many, from, to, nullable, foreignKey, through',
  ],
  [
    'table relation no to',
    registered(changed({ 'user.relations.posts.to': undefined })),
    'user.posts: "to" must name the paths of post that refer to user.',
  ],
  [
    'table is array',
    registered([tables.user]),
    "The tables must be an object of tables by model name, such as { user: { table: 'users', columns: { id: 'integer' }, primaryKey: 'id' } }.",
  ],
  [
    'table columns array',
    registered(changed({ 'user.columns': ['id', 'name'] })),
    'user: "columns" must be an object with strings or objects { type, column?, nullable?, kind?, enumValues?, foldedField?, portableOrderField?, paths?, internal?, storage? } by name',
  ],
  [
    'sqlTables nothing',
    declared(undefined),
    "The tables must be an object of tables by model name, such as { user: { table: 'users', columns: { id: 'integer' }, primaryKey: 'id' } }.",
  ],
  [
    'sqlTables key',
    declared(changed({ 'user.primaryKey': 'ID' })),
    'user: "primaryKey" names "ID", which "columns" does not declare; it has id, name, age, createdAt, companyId, bag.',
  ],
  [
    'sqlSource no connection',
    () => apply(sqlSource, { registry, tables, model: 'user' }),
    '"connection" must be one of: an executor, a Pool of pg, a Client of pg, a pool or connection of mysql2, a Database of better-sqlite3, a Knex instance, a Kysely instance; it is a value of type undefined.',
  ],
  [
    'sqlSource model',
    () =>
      apply(sqlSource, { connection: new Database(':memory:'), registry, tables, model: 'users' }),
    'The source has no table for model "users"; it has user, company, post.',
  ],
  [
    'sqlSource string',
    () => apply(sqlSource, { connection: 'postgres://x', registry, tables, model: 'user' }),
    '"connection" must be one of: an executor, a Pool of pg, a Client of pg, a pool or connection of mysql2, a Database of better-sqlite3, a Knex instance, a Kysely instance; it is a value of type string.',
  ],
  [
    'introspect table of another name',
    () => apply(introspect, loose('users'), { tables: ['user'] }),
    'The schema has no table or view "user"; it has users, logs.',
  ],
  [
    'introspect no key',
    () => apply(introspect, loose('users')),
    'The schema has no table with a primary key; it has logs, users. Name a key in "keys", or select another schema.',
  ],
  [
    'drizzle not table',
    () => apply(drizzleRegistry, { user: {} }),
    'The tables have no Drizzle table among them; pass results of pgTable, mysqlTable or sqliteTable by model name, such as { user: users }.',
  ],
  [
    'drizzle array',
    () => apply(drizzleRegistry, [pgTable('u', { id: serial().primaryKey() })]),
    '"tables" must be an object of tables by model name',
  ],
  [
    'drizzle no pk',
    () => apply(drizzleRegistry, { u: pgTable('u', { id: serial() }) }),
    'u: its table or view has no primary key; name one with overrides { u: { <property>: { primaryKey: true } } }.',
  ],
  [
    'drizzleSource no tables',
    () => {
      const u = pgTable('u', { id: serial().primaryKey(), n: text() });
      return apply(drizzleSource, { db: {}, registry: drizzleRegistry({ u }), model: 'u' });
    },
    '"tables" must be an object',
  ],
  [
    'listEndpoint rules raw',
    () => apply(listEndpoint, { source: {}, rules: { fields } }),
    '"source" must be a source of an adapter or a function',
  ],
  [
    'listEndpoint no source',
    () => apply(listEndpoint, { rules: good }),
    '"source" must be a source of an adapter or a function',
  ],
  [
    'listEndpoint positional',
    () => apply(listEndpoint, good),
    '"model" is not an option of listEndpoint; it has source, rules, scope, serverTiming, options',
  ],
  [
    'runQuery swapped',
    () => apply(runQuery, good, '', {}),
    '"source" must be a source of an adapter',
  ],
  [
    'runQuery options',
    () => apply(runQuery, {}, '', good, { timeout: 5 }),
    '"timeout" is not an option of runQuery; did you mean "timeoutMs"?',
  ],
  [
    'planQuery rules missing',
    () => apply(planQuery, '', { fields }),
    '"rules" must be the result of defineQueryRules',
  ],
  [
    'schema kind',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'int', nullable: false, primaryKey: true }],
        relations: [],
      }),
    'u.id: unknown kind; use one of string, uuid, enum, integer, bigint, decimal, float, boolean, date, datetime, string[], uuid[], enum[], integer[], bigint[], decimal[], float[], boolean[], date[], datetime[], json, binary, opaque.\nu.id: "primaryKey" names it, but it is not declared; declare it.',
  ],
  [
    'schema missing nullable',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', primaryKey: true }],
        relations: [],
      }),
    'u.id: "fields[0].nullable" must be a boolean',
  ],
  [
    'schema no relations',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
      }),
    'u: "relations" must be a list of objects { path, target, cardinality, nullable }',
  ],
  [
    'schema pk string',
    () => apply(defineQuerySchema, { model: 'u', primaryKey: 'id', fields: [], relations: [] }),
    'u: "primaryKey" must be a list of strings',
  ],
  [
    'schema pk misspelt',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
        primaryKey: ['ID'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: false }],
        relations: [],
      }),
    'u.ID: "primaryKey" names it, but it is not declared; declare it.',
  ],
  [
    'schema relation type',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
        relations: [{ path: 'c', target: 'c', type: 'one', nullable: true }],
      }),
    'u.c: "relations[0].type" is not an option of defineQuerySchema; "relations[0]" has path, target, cardinality, nullable',
  ],
  [
    'schema folded',
    () =>
      apply(defineQuerySchema, {
        model: 'u',
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
        ],
        relations: [],
      }),
    'u.name: its foldedField "nameFolded" is not declared; declare it as a field.',
  ],
  [
    'registry object',
    () => apply(defineSchemaRegistry, { u: {} }),
    '"schemas" must be a list of schemas, made by defineQuerySchema.',
  ],
  [
    'registry target',
    () =>
      apply(
        defineQueryRules,
        apply(defineSchemaRegistry, [
          {
            model: 'u',
            primaryKey: ['id'],
            fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
            relations: [{ path: 'c', target: 'company', cardinality: 'one', nullable: true }],
          },
        ]),
        'u',
        { fields: 'all' },
      ),
    'u.c: its target "company" is not in the registry; add its schema.',
  ],
  [
    'buildQuery filters',
    () => apply(buildQuery, { filters: {} }),
    '"filters" is not an option of a request; it has filter, search, where, sort, fields, includes, page, perPage, paginate, cursor',
  ],
  [
    'board queues names',
    () => apply(createBoard, { queues: ['mail'] }),
    '"queues" must be a list of queues made by bullmqQueue, bullQueue, bullmqProQueue or customQueue',
  ],
  [
    'board serverAdaptor',
    () => apply(createBoard, { queues: [], serverAdaptor: new ExpressAdapter() }),
    '"serverAdaptor" is not an option of createBoard; did you mean "serverAdapter"?',
  ],
  [
    'board pgboss engine',
    () => apply(createBoard, { engine: 'pg-boss', serverAdapter: new ExpressAdapter() }),
    '"engine" must be "kvq" (BullMQ and Bull) or "pgq" (pg-boss)',
  ],
  [
    'board readonly',
    () =>
      apply(createBoard, {
        queues: [],
        options: { readonly: true },
        serverAdapter: new ExpressAdapter(),
      }),
    '"readonly" is not an option of createBoard; did you mean "readOnly"?',
  ],
  [
    'board pgq connection',
    () =>
      apply(createBoard, {
        engine: 'pgq',
        connection: 'postgres://x',
        serverAdapter: new ExpressAdapter(),
      }),
    '"connection" is not an option of createBoard; did you mean "pgq.connection"?',
  ],
  [
    'board basePath',
    () => apply(createBoard, { queues: [], basePath: '/x', serverAdapter: new ExpressAdapter() }),
    '"basePath" is not an option of createBoard; it has engine, serverAdapter, auth, queues, options',
  ],
  [
    'bullmqQueue name',
    () => apply(bullmqQueue, 'mail'),
    '"queue" must be a queue of BullMQ 5.16 or later',
  ],
  [
    'auth basic',
    () => apply(createAuthMiddleware, { strategy: 'basic', username: 'a', password: 'b' }),
    '"username" is not an option of createAuthMiddleware; it has strategy, publicUrl, trustProxy, onAuthenticated, onError, onEvent, user, password, loginLimit',
  ],
];

it('a field without a kind names the override to write', async () => {
  const odd = drizzleRegistry({
    user: pgTable('users', {
      id: serial().primaryKey(),
      tree: customType({ dataType: () => 'ltree' })(),
    }),
  });
  const filters = [{ path: 'tree', operators: ['eq'] }];
  const message = await messageOf(() =>
    apply(defineQueryRules, odd, 'user', {
      fields: 'all',
      filters,
      sorts: ['tree'],
      search: ['tree'],
    }),
  );
  const override = "override it: { user: { tree: { kind: 'string' } } }";
  expect(message.split('\n').map((line) => line.includes(override))).toEqual([true, true, true]);
  const overrides = { user: { tree: { kind: 'string' } } } as const;
  const told = drizzleRegistry(
    {
      user: pgTable('users', {
        id: serial().primaryKey(),
        tree: customType({ dataType: () => 'ltree' })(),
      }),
    },
    [],
    overrides,
  );
  expect(
    await messageOf(() => apply(defineQueryRules, told, 'user', { fields: 'all', filters })),
  ).toBe('nothing was refused');
});

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
}

describe('a mistake is explained', () => {
  it.each(mistakes)('%s', async (_name, call, message) => {
    expect(await messageOf(call)).toBe(message);
  });

  it('in some hundred cases, without terms that a beginner cannot know', () => {
    expect(mistakes.length).toBeGreaterThan(100);
    for (const [, , message] of mistakes) {
      expect(message).not.toMatch(/version \d|opaque field/);
      expect(message.length).toBeLessThan(400);
    }
  });
});
