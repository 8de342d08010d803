/** What Drizzle's tables say of the matrix's models is what the registry written by hand says. */

import { describe, expect, it } from 'vitest';
import { drizzleRegistry } from '../../src/adapters/drizzle/index.ts';
import { registry } from './fixtures/models.ts';
import * as mysql from './fixtures/tables-mysql.ts';
import * as postgresql from './fixtures/tables-postgresql.ts';
import * as sqlite from './fixtures/tables-sqlite.ts';

const derived = {
  postgresql: () => drizzleRegistry(postgresql.tables, postgresql.links, postgresql.overrides),
  mysql: () => drizzleRegistry(mysql.tables, mysql.links, mysql.overrides),
  sqlite: () => drizzleRegistry(sqlite.tables, sqlite.links, sqlite.overrides),
};

describe.each(Object.entries(derived))('the registry derived for %s', (_family, derive) => {
  it.each([...registry.keys()])('describes %s as written by hand', (model) => {
    const schema = derive().get(model);
    expect(schema?.fields).toEqual(registry.get(model)?.fields);
    expect(schema?.primaryKey).toEqual(registry.get(model)?.primaryKey);
    const byPath = (list: readonly { readonly path: string }[] = []) =>
      list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(byPath(schema?.relations)).toEqual(byPath(registry.get(model)?.relations));
  });
});
