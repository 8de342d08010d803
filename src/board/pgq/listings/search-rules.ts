/** The rules of a search over all queues: those of the listing, and typed paths of data and output as requests name them. */

import { BoundedCache } from '../../../lib/index.ts';
import type { CompiledQueryRules, FilterRule, OperatorName } from '../../../rules/index.ts';
import {
  type SqlColumnOptions,
  type SqlCustomize,
  type SqlExecutor,
  type StatementText,
  relationalSource,
  sqlRegistry,
  sqlSource,
} from '../../../adapters/sql/index.ts';
import { type Customized, render } from '../../../relational/index.ts';
import type { JsonPathKind, JsonPaths, SchemaRegistry } from '../../../schema/index.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import type { PgqTables } from '../schema/tables.ts';
import type { PgqSource } from './listings.ts';

/** The fields that paths lead into. */
export const jsonFields = ['data', 'output'] as const;

/** Where an output may have the message of an error: thrown by a worker, of a job that ran out of time, or a text itself. */
export const messagePaths: JsonPaths = {
  message: 'string',
  'value.message': 'string',
  value: 'string',
};

export type JobPaths = { readonly [Field in (typeof jsonFields)[number]]: JsonPaths };

/** The jobs of all queues with some typed paths. */
export interface SearchListing {
  readonly rules: CompiledQueryRules;
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

/** The conditions of a statement on the jobs alone. */
function conditionsAlone({
  context: { dialect },
  statement: { parts },
}: Customized<SqlExecutor, SqlCustomize>): StatementText {
  const { where, joins } = parts;
  if (where === null || joins.length > 0) throw new TypeError('A search of jobs has one table.');
  return render(where, dialect.placeholder, dialect.numberedPlaceholders);
}

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
    const key = named
      .map(({ path, kind }) => `${path} ${kind}`)
      .toSorted()
      .join();
    const known = kept.get(key);
    if (known) return known;
    const { job } = tables;
    const column = (field: (typeof jsonFields)[number]): object => {
      const declared: SqlColumnOptions | undefined = job.columns[field];
      return declared ? { [field]: { ...declared, paths: paths[field] } } : {};
    };
    const columns = { ...job.columns, ...column('data'), ...column('output') };
    const typed: PgqTables = { ...tables, job: { ...job, columns } };
    const registry: SchemaRegistry = sqlRegistry(typed);
    const sourceOf = ({ connection }: ReadSession) =>
      sqlSource({ connection, registry, tables: typed, model: 'job' });
    const listing: SearchListing = {
      rules: compile(
        registry,
        named.map(({ path, kind }) => ({ path, operators: operatorsOf(kind) })),
      ),
      source: sourceOf,
      conditions: (session) => {
        const { model, describe, execute } = sourceOf(session);
        return relationalSource({ model, describe, execute, customized: conditionsAlone });
      },
    };
    kept.set(key, listing);
    return listing;
  };
}
