/** Every option of every public function: a misspelt name and a wrong type are reported by name. */

import { Queue } from 'bullmq';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createAuthMiddleware,
  postgresqlAuthStore,
  redisAuthStore,
} from '../../../src/auth/index.ts';
import { mountTable, oidcTable, tokenTable } from '../../../src/auth/option-tables.ts';
import { ExpressAdapter, bullmqQueue, createBoard } from '../../../src/http/board/index.ts';
import { boardOptionTable } from '../../../src/board/core/index.ts';
import { kvqOptionTable } from '../../../src/board/kvq/index.ts';
import { queueOptionTable } from '../../../src/board/kvq/queue/queue-options.ts';
import { pgqOptionTable } from '../../../src/board/pgq/index.ts';
import { drizzleSource, manyToMany } from '../../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../../src/adapters/prisma/index.ts';
import { SourceDescription, relationalSource, sqlSource } from '../../../src/adapters/sql/index.ts';
import { QueryField, QueryModel } from '../../../src/adapters/typeorm/index.ts';
import { listEndpoint, queryErrorHandler } from '../../../src/http/express/index.ts';
import { queryErrorHandlerTable } from '../../../src/http/query-error-options.ts';
import { QueryErrorFilter, QueryModule } from '../../../src/http/nestjs/index.ts';
import {
  assertSource,
  defineQueryRules,
  defineQuerySchema,
  openApiParameters,
  planQuery,
  runQuery,
} from '../../../src/index.ts';
import type { OptionTable } from '../../../src/lib/index.ts';
import { defineQueryRulesTable } from '../../../src/rules/declare/option-tables.ts';
import { queryOptionTable } from '../../../src/rules/index.ts';
import { fieldOverrideTable, schemaTable } from '../../../src/schema/schema-form.ts';
import { printCompanions, runCompanions } from '../../../src/relational/companions/index.ts';
import { companionOptionTable } from '../../../src/relational/companions/options.ts';
import { companionModelTable } from '../../../src/relational/companions/plan.ts';
import { planCompanions } from '../../../src/relational/companions/plan.ts';

interface PublicOptions {
  /** Interfaces whose options are in the table, at any depth. */
  readonly interfaces: readonly string[];
  readonly owner: string;
  readonly table: OptionTable;
  /** Prefix of the names in messages, such as `pgq.`. */
  readonly prefix?: string;
  /** Calls the public function with the options. */
  readonly call: (options: object) => unknown;
}

const queue = new Queue('options', { connection: { lazyConnect: true }, skipMetasUpdate: true });
queue.on('error', () => undefined);
afterAll(() => queue.close());

const apply = (target: unknown, ...values: unknown[]): unknown =>
  Reflect.apply(target as () => unknown, undefined, values);

const board = (config: object): unknown =>
  apply(createBoard, { serverAdapter: new ExpressAdapter(), ...config });

const user = {
  model: 'user',
  primaryKey: ['id'],
  fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
  relations: [],
} as const;
const registry = new Map([['user', defineQuerySchema(user)]]);
const rules = { fields: { root: { allowed: ['id'], default: ['id'] } } } as const;
const compiled = defineQueryRules(registry, 'user', rules);
const source = { model: 'user', family: 'sqlite', registry, prepare: () => undefined };
const join = sqliteTable('user_tags', { user: integer(), tag: integer() });
const description = new SourceDescription({ family: 'sqlite', registry, physical: new Map() });
const executor = { run: () => [], transaction: () => undefined };

const oidc = { strategy: 'oidc', url: 'https://id.example', realm: 'r', clientId: 'c' };

const all: readonly PublicOptions[] = [
  {
    interfaces: ['BoardOptions', 'HandlerHooks', 'BoardUi', 'KvqOptions', 'KvqTimeouts'],
    owner: 'createBoard',
    table: { ...boardOptionTable, ...kvqOptionTable },
    call: (options) => board({ options }),
  },
  {
    interfaces: ['PgqOptions', 'PgqFormatters'],
    owner: 'createBoard',
    table: pgqOptionTable,
    prefix: 'pgq.',
    call: (options) => board({ engine: 'pgq', pgq: options }),
  },
  {
    interfaces: ['QueueOptions', 'JobFormatters'],
    owner: 'bullmqQueue',
    table: queueOptionTable,
    call: (options) => bullmqQueue(queue, options),
  },
  {
    interfaces: ['OidcOptions', 'CommonAuthOptions', 'CookieOptions'],
    owner: 'createAuthMiddleware',
    table: oidcTable,
    call: (options) => apply(createAuthMiddleware, { ...oidc, ...options }),
  },
  {
    interfaces: ['TokenOptions', 'AuthUser'],
    owner: 'createAuthMiddleware',
    table: tokenTable,
    call: (options) =>
      apply(createAuthMiddleware, { strategy: 'token', tokens: ['secret'], ...options }),
  },
  {
    interfaces: ['QuerySchema'],
    owner: 'defineQuerySchema',
    table: schemaTable,
    call: (options) => apply(defineQuerySchema, { ...user, ...options }),
  },
  {
    interfaces: ['QueryRulesDeclaration', 'ProjectionRule', 'PaginationRule'],
    owner: 'defineQueryRules',
    table: defineQueryRulesTable.rules.table,
    prefix: 'rules.',
    call: (options) => apply(defineQueryRules, registry, 'user', { ...rules, ...options }),
  },
  {
    interfaces: ['QuerySettings', 'QueryLimits'],
    owner: 'defineQueryRules',
    table: defineQueryRulesTable.settings.table,
    prefix: 'settings.',
    call: (options) => apply(defineQueryRules, registry, 'user', rules, options),
  },
  {
    interfaces: ['QueryOptions'],
    owner: 'runQuery',
    table: queryOptionTable,
    call: (options) => apply(runQuery, {}, '', {}, options),
  },
  {
    interfaces: ['QueryOptions'],
    owner: 'listEndpoint',
    table: queryOptionTable,
    prefix: 'options.',
    call: (options) => apply(listEndpoint, { source, rules: compiled, options }),
  },
  {
    interfaces: ['QueryErrorHandlerOptions'],
    owner: 'QueryErrorFilter',
    table: queryErrorHandlerTable,
    call: (options) => new QueryErrorFilter(options as object),
  },
  {
    interfaces: ['QueryErrorHandlerOptions'],
    owner: 'QueryErrorFilter',
    table: queryErrorHandlerTable,
    call: (options) => apply(QueryModule.forRoot, options),
  },
  {
    interfaces: ['QueryErrorHandlerOptions'],
    owner: 'queryErrorHandler',
    table: queryErrorHandlerTable,
    call: (options) => apply(queryErrorHandler, options),
  },
  {
    interfaces: ['CompanionOptions'],
    owner: 'runCompanions',
    table: companionOptionTable,
    call: (options) => apply(runCompanions, {}, [], options),
  },
  {
    interfaces: ['QueryErrorHandlerOptions'],
    owner: 'queryErrorHandler',
    table: queryErrorHandlerTable,
    call: (options) => apply(queryErrorHandler, options),
  },
  {
    interfaces: ['CompanionOptions'],
    owner: 'printCompanions',
    table: companionOptionTable,
    call: (options) => apply(printCompanions, {}, [], options),
  },
  {
    interfaces: ['QueryFieldOptions'],
    owner: 'QueryField',
    table: fieldOverrideTable,
    call: (options) => apply(QueryField, options),
  },
  {
    interfaces: ['PlanOptions'],
    owner: 'planQuery',
    table: { cursorScope: queryOptionTable.cursorScope },
    call: (options) => apply(planQuery, '', compiled, options),
  },
  {
    interfaces: ['CompanionModel', 'CompanionTable'],
    owner: 'planCompanions',
    table: companionModelTable,
    prefix: 'models[0].',
    call: (options) => apply(planCompanions, [{ schema: user, ...options }]),
  },
  {
    interfaces: ['AuthMount'],
    owner: 'createAuthMiddleware',
    table: mountTable,
    call: (options) => apply(createAuthMiddleware, oidc, options),
  },
];

/** No option accepts a symbol. */
const wrong = Symbol('wrong');

/** The calls that must be refused, for every row at every depth. */
function casesOf({
  owner,
  table,
  prefix = '',
  call,
}: PublicOptions): [string, () => unknown, string][] {
  const cases: [string, () => unknown, string][] = [];
  const add = (options: object, message: string): void => {
    cases.push([message, () => call(options), message]);
  };
  for (const [name, row] of Object.entries(table)) {
    const full = `"${prefix}${name}"`;
    if ('removed' in row) {
      add({ [name]: true }, `${full} ${row.removed}`);
      continue;
    }
    const misspelt = `"${prefix}${name}x" is not an option of ${owner}; did you mean ${full}?`;
    add({ [`${name}x`]: true }, misspelt);
    if (!row.fits(wrong)) add({ [name]: wrong }, `${full} must be ${row.expected}`);
    if (row.table) {
      const nested = (options: object): unknown => call({ [name]: options });
      const inner = { owner, table: row.table, prefix: `${prefix}${name}.`, call: nested };
      cases.push(...casesOf({ interfaces: [], ...inner }));
    }
  }
  return cases;
}

describe.each(all)('$interfaces of $owner', (options) => {
  test.each(casesOf(options))('%s', async (_, call, message) => {
    await expect(async () => call()).rejects.toThrow(message);
  });
});

test.each([
  [drizzleSource, { namedStatement: false }, '"namedStatement" is not an option of drizzleSource'],
  [prismaSource, { scema: 'app' }, 'did you mean "schema"?'],
  [sqlSource, { namedStatements: 'no' }, '"namedStatements" must be a boolean'],
  [listEndpoint, { source: {}, rule: {} }, 'did you mean "rules"?'],
  [listEndpoint, { source }, '"rules" must be the result of defineQueryRules'],
  [QueryModel, { nmae: 'user' }, 'did you mean "name"?'],
])('%o refuses %j', (target, options, message) => {
  expect(() => apply(target, options)).toThrow(message);
});

test.each<[owner: string, call: () => unknown, message: string]>([
  [
    'createBoard',
    () => apply(createBoard, { serverAdapter: new ExpressAdapter() }, { readOnly: true }),
    'createBoard takes 1 argument, and no "readOnly" after it',
  ],
  [
    'bullmqQueue',
    () => apply(bullmqQueue, queue, undefined, { readOnly: true }),
    'bullmqQueue takes 2 arguments, and no "readOnly" after it',
  ],
  [
    'bullmqQueue',
    () => bullmqQueue(queue, Object.create({ readonly: true }) as object),
    '"readonly" is not an option of bullmqQueue; did you mean "readOnly"?',
  ],
  [
    'postgresqlAuthStore',
    () => apply(postgresqlAuthStore, {}, { createtable: false }),
    'did you mean "createTable"?',
  ],
  [
    'postgresqlAuthStore',
    () => apply(postgresqlAuthStore, {}, { table: 'a b' }),
    '"table" must be',
  ],
  [
    'redisAuthStore',
    () => apply(redisAuthStore, { call: () => undefined }, { prefx: 'a' }),
    'did you mean "prefix"?',
  ],
  [
    'manyToMany',
    () => apply(manyToMany, join, 'tags', { through: join, target: join, form: join.user }),
    '"form" is not an option of manyToMany; did you mean "from"?',
  ],
  [
    'manyToMany',
    () => apply(manyToMany, join, 'tags', { through: 'user_tags', target: join }),
    '"through" must be a Drizzle table',
  ],
  [
    'manyToMany',
    () => apply(manyToMany, join, 'tags', { through: join, target: join, to: [join.tag, 'tag'] }),
    '"to" must be a Drizzle column or a list of Drizzle columns, at least one',
  ],
  [
    'SourceDescription',
    () =>
      Reflect.construct(SourceDescription, [{ family: 'oracle', registry, physical: new Map() }]),
    '"family" must be "postgresql", "mysql" or "sqlite"',
  ],
  [
    'SourceDescription',
    () =>
      Reflect.construct(SourceDescription, [{ family: 'sqlite', registry, physcal: new Map() }]),
    'did you mean "physical"?',
  ],
  [
    'SourceDescription',
    () =>
      Reflect.construct(SourceDescription, [
        { family: 'sqlite', registry, physical: new Map(), channel: { name: true } },
      ]),
    '"channel.name" is not an option of SourceDescription; did you mean "channel.named"?',
  ],
  [
    'relationalSource',
    () => apply(relationalSource, { model: 'user', describe: {}, execute: executor }),
    '"describe" must be a SourceDescription',
  ],
  [
    'relationalSource',
    () => apply(relationalSource, { model: 'user', describe: description, execute: {} }),
    '"execute" must be an executor',
  ],
  [
    'relationalSource',
    () => apply(relationalSource, { model: 'usr', describe: description, execute: executor }),
    'The registry has no schema for model "usr"',
  ],
  [
    'listEndpoint',
    () => apply(listEndpoint, { source, rules }),
    '"rules" must be the result of defineQueryRules',
  ],
  [
    'listEndpoint',
    () => apply(listEndpoint, { source: { model: 'user' }, rules: compiled }),
    '"source" must be a source of an adapter or a function',
  ],
  [
    'listEndpoint',
    () => apply(listEndpoint, { source: { ...source, model: 'post' }, rules: compiled }),
    'The source lists post, the rules are for user',
  ],
  ['runQuery', () => apply(runQuery, source, '', rules), '"rules" must be the result of'],
  [
    'runQuery',
    () => apply(runQuery, null, '', compiled),
    '"source" must be a source of an adapter',
  ],
  ['assertSource', () => apply(assertSource, source, rules), '"rules" must be the result of'],
  ['planQuery', () => apply(planQuery, '', rules), '"rules" must be the result of'],
  ['openApiParameters', () => apply(openApiParameters, rules), '"rules" must be the result of'],
])('%s refuses with a message of its own', async (_owner, call, message) => {
  await expect(async () => call()).rejects.toThrow(message);
});
