/** Every option of every public function: a misspelt name and a wrong type are reported by name. */

import { Queue } from 'bullmq';
import { afterAll, describe, expect, test } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { mountTable, oidcTable, tokenTable } from '../../../src/auth/option-tables.ts';
import { ExpressAdapter, bullmqQueue, createBoard } from '../../../src/board/index.ts';
import { boardOptionTable } from '../../../src/board/core/index.ts';
import { kvqOptionTable } from '../../../src/board/kvq/index.ts';
import { queueOptionTable } from '../../../src/board/kvq/queue/queue-options.ts';
import { pgqOptionTable } from '../../../src/board/pgq/index.ts';
import { drizzleSource } from '../../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../../src/adapters/prisma/index.ts';
import { sqlSource } from '../../../src/adapters/sql/index.ts';
import { QueryField, QueryModel } from '../../../src/adapters/typeorm/index.ts';
import { listEndpoint, queryErrorHandler } from '../../../src/http/express/index.ts';
import { queryErrorHandlerTable } from '../../../src/http/express/query-error-handler.ts';
import { defineQueryRules, defineQuerySchema, runQuery } from '../../../src/index.ts';
import type { OptionTable } from '../../../src/lib/index.ts';
import { defineQueryRulesTable } from '../../../src/rules/declare/option-tables.ts';
import { queryOptionTable } from '../../../src/rules/index.ts';
import { fieldOverrideTable, schemaTable } from '../../../src/schema/schema-form.ts';
import { printCompanions, runCompanions } from '../../../src/relational/companions/index.ts';
import { companionOptionTable } from '../../../src/relational/companions/options.ts';

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
const rules = { fields: { root: { allowed: ['id'], default: ['id'] } } };

const oidc = { strategy: 'oidc', url: 'https://id.example', realm: 'r', clientId: 'c' };

const all: readonly PublicOptions[] = [
  {
    interfaces: ['BoardOptions', 'HandlerHooks', 'BoardUi', 'KvqOptions', 'KvqTimeouts'],
    owner: 'createBoard',
    table: { ...boardOptionTable, ...kvqOptionTable },
    call: (options) => board({ options }),
  },
  {
    interfaces: ['PgqOptions'],
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
    call: (options) => apply(listEndpoint, { source: {}, rules: {}, options }),
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
  [listEndpoint, { source: {} }, '"rules" must be an object'],
  [QueryModel, { nmae: 'user' }, 'did you mean "name"?'],
])('%o refuses %j', (target, options, message) => {
  expect(() => apply(target, options)).toThrow(message);
});
