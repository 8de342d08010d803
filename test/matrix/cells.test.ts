/** Every cell describes its models like the matrix, conforms to the profile, and detects differing schemas. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryError, assertSource, defineQueryRules } from '../../src/index.ts';
import type { SourceDifference } from '../../src/index.ts';
import type { QuerySchema } from '../../src/schema/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { registry } from './fixtures/models.ts';
import { wrongSchemas } from './wrong-schemas.ts';

const byPath = (list: readonly { readonly path: string }[] = []) =>
  list.toSorted((a, b) => (a.path < b.path ? -1 : 1));

describe.each(cells)('$name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'cells');
    if (typeof made !== 'string') cell = made;
    else if (everyServiceRequired()) throw new Error(made);
  });
  afterAll(() => cell?.dispose());

  it.for([...registry.keys()])('describes %s as written by hand', (model, context) => {
    if (!cell) return context.skip();
    const schema = cell.registry.get(model);
    const written = registry.get(model);
    expect(schema?.fields).toEqual(written?.fields);
    expect(schema?.primaryKey).toEqual(written?.primaryKey);
    expect(byPath(schema?.relations)).toEqual(byPath(written?.relations));
  });

  it('stands on the database profile', async (context) => {
    if (!cell) return context.skip();
    expect(await cell.violations()).toEqual([]);
  });

  it('fits the rules of every endpoint', (context) => {
    if (!cell) return context.skip();
    for (const rules of Object.values(compileEndpoints(cell.registry))) {
      assertSource(cell.source(rules.model), rules);
    }
  });

  it("checks once: a transaction's source has the origin of the others", async (context) => {
    if (!cell) return context.skip();
    const { origin } = cell.source('user');
    // Absent where the driver has no asynchronous transaction.
    await cell.transaction?.('user', async (source) => expect(source.origin).toBe(origin));
    expect(cell.source('user').origin).toBe(origin);
  });

  it.for(wrongSchemas)('notices $name', ({ model, wrong, expected }, context) => {
    if (!cell) return context.skip();
    const changed = new Map<string, QuerySchema>(cell.registry);
    for (const schema of wrong) changed.set(schema.model, schema);
    const relations = changed.get(model)?.relations ?? [];
    const rules = defineQueryRules(changed, model, {
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: Object.fromEntries(
          relations.map(({ path, target }) => {
            const [key = ''] = changed.get(target)?.primaryKey ?? [];
            return [path, { allowed: [key], default: [key] }];
          }),
        ),
      },
      includes: relations.map(({ path }) => path),
    });
    // The source is the cell's own; only the declared schemas differ.
    const source = { ...cell.source(model), registry: changed };
    expect(differencesOf(() => assertSource(source, rules))).toEqual(expected);
  });
});

function differencesOf(check: () => void): readonly Partial<SourceDifference>[] {
  try {
    check();
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'SOURCE_CONFIGURATION_INVALID')
      throw error;
    const differences = error.details.differences as readonly SourceDifference[];
    return differences.map(({ model, path, rule }) => ({ model, path, rule }));
  }
  return [];
}
