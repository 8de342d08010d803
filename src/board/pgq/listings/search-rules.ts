/** The rules of a search over all queues: those of the listing, and typed paths of data and output as requests name them. */

import { BoundedCache } from '../../../lib/index.ts';
import type {
  CompiledQueryRules,
  FilterRule,
  OperatorName,
  Predicate,
} from '../../../rules/index.ts';
import {
  type SqlColumnOptions,
  sqlRegistry,
  sqlSource,
  withComputedFields,
} from '../../../adapters/sql/index.ts';
import { conditionSource } from '../../../adapters/sql/conditions.ts';
import type { JsonPathKind, JsonPaths, SchemaRegistry } from '../../../schema/index.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import type { PgqTables } from '../schema/tables.ts';
import { type JobFilter, fieldsInJson } from '../../filters/index.ts';
import type { PgqSource } from './listings.ts';
import { isTyped, jobFields, predicateOf, typedName } from './text-filters.ts';

/** The fields that paths lead into. */
export const jsonFields = ['data', 'output'] as const;

/** Where an output may have the message of an error: thrown by a worker, of a job that ran out of time, or a text itself. */
export const messagePaths: JsonPaths = {
  message: 'string',
  'value.message': 'string',
  value: 'string',
};

export type JobPaths = { readonly [Field in (typeof jsonFields)[number]]: JsonPaths } & {
  /** Paths that a filter as text names. */
  readonly named?: readonly string[];
};

/** The jobs of all queues with some typed paths. */
export interface SearchListing {
  readonly rules: CompiledQueryRules;
  /** The conditions of a filter as text, of which the paths are named. */
  predicate(filter: JobFilter): Predicate;
  source(session: ReadSession): PgqSource<'job'>;
  /** Sends the conditions of a statement on the table itself in its place; for plans with a `customize`. */
  conditions(session: ReadSession): PgqSource<'job'>;
}

const comparisons: readonly OperatorName[] = ['eq', 'ne', 'in', 'notIn', 'isNull'];
const ordered: readonly OperatorName[] = [...comparisons, 'gt', 'gte', 'lt', 'lte', 'between'];

const operatorsOf = (kind: JsonPathKind): readonly OperatorName[] => {
  if (kind === 'string') return [...ordered, 'like', 'notLike'];
  return kind === 'boolean' ? comparisons : ordered;
};

/** Sets of paths whose rules are kept; a client that invents paths replaces old ones. */
const maxKept = 100;

/** Returns the listing for a set of paths, compiled on first use. */
export function searchListings(
  tables: PgqTables,
  compile: (registry: SchemaRegistry, filters: readonly FilterRule[]) => CompiledQueryRules,
): (paths: JobPaths) => SearchListing {
  const kept = new BoundedCache<string, SearchListing>(maxKept);
  return (paths) => {
    const named = jsonFields.flatMap((field) =>
      Object.entries(paths[field]).map(([path, kind]) => ({ path: `${field}.${path}`, kind })),
    );
    const inTexts = (paths.named ?? []).toSorted();
    const key = [...named.map(({ path, kind }) => `${path} ${kind}`), ...inTexts].toSorted().join();
    const known = kept.get(key);
    if (known) return known;
    const { job } = tables;
    const column = (field: (typeof jsonFields)[number]): object => {
      const declared: SqlColumnOptions | undefined = job.columns[field];
      if (!declared) return {};
      const own = inTexts.filter((path) => path.startsWith(`${field}.`) && isTyped(path));
      const as = (kind: JsonPathKind, name: string) => ({
        [field + name]: {
          ...declared,
          column: field,
          internal: true,
          paths: Object.fromEntries(own.map((path) => [path.slice(field.length + 1), kind])),
        },
      });
      return {
        [field]: { ...declared, paths: paths[field] },
        ...(own.length > 0 && {
          ...as('string', typedName.text),
          ...as('decimal', typedName.number),
        }),
      };
    };
    const columns = { ...job.columns, ...column('data'), ...column('output') };
    const typed: PgqTables = { ...tables, job: { ...job, columns } };
    const { computed, nameOf } = fieldsInJson(inTexts);
    const registry: SchemaRegistry = withComputedFields(sqlRegistry(typed) as SchemaRegistry, {
      job: { ...jobFields, ...computed },
    });
    const sourceOf = ({ connection }: ReadSession) =>
      sqlSource({ connection, registry, tables: typed, model: 'job' });
    const listing: SearchListing = {
      rules: compile(
        registry,
        named.map(({ path, kind }) => ({ path, operators: operatorsOf(kind) })),
      ),
      predicate: (filter) => predicateOf(filter, nameOf),
      source: sourceOf,
      conditions: (session) => conditionSource(sourceOf(session)),
    };
    kept.set(key, listing);
    return listing;
  };
}
