/** What decorators say of the matrix's models, and the corpus on TypeORM's three cells. */

import { describe, expect, it } from 'vitest';
import { typeormRegistry } from '../../src/adapters/typeorm/index.ts';
import { families } from './cells.ts';
import { registry } from './fixtures/models.ts';
import { entitiesFor } from './fixtures/typeorm/entities.ts';
import { runCorpus } from './run-corpus.ts';
import { typeormCell } from './typeorm-cell.ts';

describe.each(families)('the registry derived for %s', (family) => {
  const derived = typeormRegistry(Object.values(entitiesFor(family)));
  it.each([...registry.keys()])('describes %s as written by hand', (model) => {
    const schema = derived.get(model);
    expect(schema?.fields).toEqual(registry.get(model)?.fields);
    expect(schema?.primaryKey).toEqual(registry.get(model)?.primaryKey);
    const byPath = (list: readonly { readonly path: string }[] = []) =>
      list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(byPath(schema?.relations)).toEqual(byPath(registry.get(model)?.relations));
  });
});

for (const family of families) {
  runCorpus(
    `typeorm on ${family}`,
    () => typeormCell(family, 'typeorm'),
    () => {},
  );
}
