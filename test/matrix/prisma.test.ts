/**
 * The generated registry of the matrix's models, and the corpus on the older major version of Prisma and on the own
 * queries of clients, which take the place of SQL where a client is extended.
 */

import { describe, expect, it } from 'vitest';
import { withComputedFields } from '../../src/adapters/prisma/index.ts';
import { seed } from '../seed.ts';
import { isSharedOut } from '../setup/left-to-ci.ts';
import { families } from './cells.ts';
import { computedFields } from './fixtures/computed.ts';
import { registry } from './fixtures/models.ts';
import { generatePrisma } from './fixtures/prisma/generate.ts';
import { prismaModels } from './fixtures/prisma/schema.ts';
import { ownQueriesCell, prismaCell } from './prisma-cell.ts';
import { runCorpus } from './run-corpus.ts';

describe.each(families)('the registry generated for %s', (family) => {
  it('describes every model as written by hand', async () => {
    const made = await generatePrisma({ family, models: prismaModels(family) });
    const generated = withComputedFields(made.registry, computedFields);
    expect([...generated.keys()]).toEqual([...registry.keys()]);
    const byPath = (list: readonly { readonly path: string }[] = []) =>
      list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    for (const [model, { fields, primaryKey, relations }] of registry) {
      const schema = generated.get(model);
      expect(schema?.fields).toEqual(fields);
      expect(schema?.primaryKey).toEqual(primaryKey);
      expect(byPath(schema?.relations)).toEqual(byPath(relations));
    }
  });
});

for (const family of families.filter((_, at) => !isSharedOut || at === seed % families.length)) {
  runCorpus(
    `prisma 6 on ${family}`,
    () => prismaCell(family, 'prisma6', undefined, 6),
    () => {},
  );
  for (const version of [7, 6] as const) {
    runCorpus(
      `own queries of prisma ${version} on ${family}`,
      () => ownQueriesCell(family, `prisma${version}own`, undefined, version),
      () => {},
    );
  }
}
