/** The values of a request's scope have the types that the functions of `settings.scopes` declare. */

import { describe, expectTypeOf, it } from 'vitest';
import {
  type ModelScopes,
  type QuerySource,
  type ScopeOf,
  defineQueryRules,
  defineSchemaRegistry,
  planQuery,
  runQuery,
} from '../../src/index.ts';
import { listEndpoint } from '../../src/http/express/index.ts';

const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
const registry = defineSchemaRegistry([
  {
    model: 'user',
    primaryKey: ['id'],
    fields: [id, { path: 'tenantId', kind: 'integer', nullable: false, primaryKey: false }],
    relations: [{ path: 'posts', target: 'post', cardinality: 'many', nullable: false }],
  },
  { model: 'post', primaryKey: ['id'], fields: [id], relations: [] },
]);
const declaration = { fields: { root: { allowed: ['id'], default: ['id'] } } } as const;
declare const source: QuerySource;

describe('the option scope', () => {
  const rules = defineQueryRules(registry, 'user', declaration, {
    scopes: {
      user: ({ tenant }: { readonly tenant: number }) => ({
        type: 'condition',
        path: 'tenantId',
        operator: 'eq',
        value: tenant,
      }),
      post: ({ roles }: { readonly roles: readonly string[] }) => ({
        type: 'condition',
        path: 'id',
        operator: 'in',
        value: roles,
      }),
    },
  });

  it('has the values of all functions', () => {
    const scope = { tenant: 1, roles: ['a'] };
    void runQuery(source, '', rules, { scope });
    void planQuery('', rules, { scope });
    void listEndpoint({ source, rules, scope: () => scope });
    void listEndpoint({ source, rules, options: { scope } });
    // @ts-expect-error -- a missing value
    void runQuery(source, '', rules, { scope: { tenant: 1 } });
    // @ts-expect-error -- a value of another type
    void planQuery('', rules, { scope: { tenant: '1', roles: [] } });
    // @ts-expect-error -- a missing value
    void listEndpoint({ source, rules, scope: () => ({ tenant: 1 }) });
  });

  it('is typed by scopes that are declared apart', () => {
    interface Tenant {
      readonly tenant: number;
    }
    const scopes: ModelScopes<Tenant> = {
      user: ({ tenant }) => ({ type: 'condition', path: 'id', operator: 'eq', value: tenant }),
      post: 'unscoped',
    };
    const settings = { maxPerPage: 50, scopes };
    expectTypeOf<ScopeOf<typeof settings>>().toEqualTypeOf<Tenant>();
    const shared = defineQueryRules(registry, 'user', declaration, settings);
    void runQuery(source, '', shared, { scope: { tenant: 1 } });
    // @ts-expect-error -- a value of another type
    void runQuery(source, '', shared, { scope: { tenant: '1' } });
  });

  it('refuses functions that return no predicate', () => {
    defineQueryRules(registry, 'user', declaration, {
      // @ts-expect-error -- an operator that does not exist
      scopes: { user: () => ({ type: 'condition', path: 'id', operator: 'is', value: 1 }) },
    });
  });

  it('is not typed for rules of an unknown scope', () => {
    const plain = defineQueryRules(registry, 'user', declaration);
    void runQuery(source, '', plain);
    void runQuery(source, '', plain, { timeoutMs: 1 });
  });
});
