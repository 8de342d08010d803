/** Checks of a registry that a tool derived from an existing database: every model, every field, against SQL by hand. */

import { expect } from 'vitest';
import {
  type CompiledQueryRules,
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  runQuery,
} from '../../src/index.ts';
import type { QuerySchema } from '../../src/schema/index.ts';
import { everyRule, operatorsOf } from './every-rule.ts';

/** A registry and the sources of its models. */
export interface Listing {
  readonly registry: SchemaRegistry;
  source(model: string): QuerySource;
  /** Fields whose stored form the ORM does not find again, as `checkProfile` reports. */
  readonly unfound?: ReadonlySet<string>;
}

type Row = { readonly [field: string]: unknown };

/** The rows of a request under every rule of a model. */
export async function list(
  { registry, source }: Listing,
  model: string,
  request: string,
  rules: CompiledQueryRules = everyRule(registry, model),
): Promise<readonly Row[]> {
  return (await runQuery(source(model), request, rules)).data;
}

/** The number of rows of each model, with every relation included, and those that each of its values finds. */
export async function checkEveryField(
  listing: Listing,
  rowsOf: (model: string) => Promise<number>,
): Promise<void> {
  for (const [model, schema] of listing.registry) await checkModel(listing, model, schema, rowsOf);
}

async function checkModel(
  listing: Listing,
  model: string,
  { fields, relations, primaryKey }: QuerySchema,
  rowsOf: (model: string) => Promise<number>,
): Promise<void> {
  const rules = everyRule(listing.registry, model);
  const ask = (request: string) => list(listing, model, request, rules);
  const includes = relations.map(({ path }) => path).join();
  const all = await ask(`perPage=500&includes=${includes}`);
  expect([model, all.length]).toEqual([model, await rowsOf(model)]);
  const keyOf = (row: Row) => JSON.stringify(primaryKey.map((part) => row[part]));
  for (const field of fields) {
    const { path } = field;
    const operators = operatorsOf(field);
    if (field.internal || operators.length === 0) continue;
    const sorted = await ask(`perPage=500&sort=${path}&fields=${[path, ...primaryKey].join()}`);
    expect([model, path, sorted.length]).toEqual([model, path, all.length]);
    // The family places nulls: before the values or after them.
    const values = sorted.map((row) => row[path]);
    const nulls = values.filter((value) => value === null);
    const atStart = values.slice(0, nulls.length);
    const atEnd = values.slice(values.length - nulls.length);
    expect([atStart, atEnd].some((part) => part.every((value) => value === null))).toBe(true);
    const value = all.map((row) => row[path]).find((each) => each !== null);
    if (value === undefined || value === '' || listing.unfound?.has(`${model}.${path}`)) continue;
    // Equality of single precision is not promised.
    const operator = field.kind === 'float' ? 'lte' : 'eq';
    const found = await ask(
      `perPage=500&filter[${path}][${operator}]=${encodeURIComponent(String(value))}`,
    );
    const expected = all.filter((row) =>
      operator === 'eq'
        ? row[path] === value
        : row[path] !== null && Number(row[path]) <= Number(value),
    );
    expect([model, path, found.map(keyOf)]).toEqual([model, path, expected.map(keyOf)]);
  }
}

/** Walks every model by every field in both directions with cursors, one row at a time: the same rows as one page has. */
export async function checkEveryWalk(listing: Listing): Promise<void> {
  for (const [model, { fields, primaryKey }] of listing.registry) {
    const rules = everyRule(listing.registry, model);
    const keys = primaryKey.join();
    for (const field of fields) {
      if (field.internal || operatorsOf(field).length === 0) continue;
      if (listing.unfound?.has(`${model}.${field.path}`)) continue;
      for (const sort of [field.path, `-${field.path}`]) {
        const request = `sort=${sort}&fields=${keys}`;
        const page = await list(listing, model, `${request}&perPage=500`, rules);
        const walked: Row[] = [];
        for (let cursor: string | null = ''; cursor !== null && walked.length <= page.length;) {
          const text = `${request}&perPage=1&cursor=${cursor}`;
          const next = (await runQuery(listing.source(model), text, rules)) as KeysetResult;
          walked.push(...next.data);
          cursor = next.nextCursor;
        }
        expect([model, sort, walked]).toEqual([model, sort, page]);
      }
    }
  }
}
