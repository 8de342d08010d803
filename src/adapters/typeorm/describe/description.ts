/** The description of a registry on a DataSource's entities: one object, however often a source is made. */

import type { DataSource } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import { configurationError, type SchemaRegistry } from '../../../schema/index.ts';
import {
  type CompiledQueryRules,
  askedRowsOf,
  hostPaths,
  operatorRow,
} from '../../../rules/index.ts';
import {
  type PhysicalSchema,
  SourceDescription,
  families,
  originOfTables,
  storageOfTables,
} from '../../../relational/index.ts';
import { describeTables } from './describe-tables.ts';
import { familyOf } from '../families.ts';
import type { EntityMetadata } from './metadata-types.ts';

/**
 * The description of a registry on a DataSource.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the DataSource is not initialized
 */
export function descriptionOf(
  dataSource: DataSource,
  registry: SchemaRegistry,
  withDeleted: boolean,
): SourceDescription {
  const { entityMetadatas } = dataSource;
  if (entityMetadatas.length === 0) {
    throw configurationError('The DataSource knows no entities yet; initialize it first.');
  }
  return described(entityMetadatas, registry, withDeleted, dataSource);
}

// By the list of metadata, which a DataSource makes anew whenever it is initialized.
const described = oncePer(
  (
    _metadata: readonly EntityMetadata[],
    registry: SchemaRegistry,
    withDeleted: boolean,
    dataSource: DataSource,
  ): SourceDescription => {
    const family = familyOf(dataSource);
    const { dialect, objectRows: channel } = families[family];
    const tables = describeTables({ registry, dataSource, dialect, withDeleted });
    // The source check names what does not fit, together with all other differences.
    const physical = storageOfTables(tables, registry, dialect, false);
    return new SourceDescription({
      family,
      registry,
      physical,
      channel,
      origin: originOfTables(tables, dialect),
      check: (rules) => assertPatterns(rules, physical),
    });
  },
);

/**
 * Checks the operators and the search of the rules against the transformers of the columns: the transformed part of a
 * value is not always a part of the transformed value. A folded column holds the text itself, and patterns of enums are
 * looked for among the members.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a pattern is looked for in a column with a transformer; the error
 * names the model and the path
 */
function assertPatterns(rules: CompiledQueryRules, physical: PhysicalSchema): void {
  const filters = askedRowsOf(rules).flatMap((rows) => [...rows.filters.values()]);
  const searched = filters.flatMap(({ target, operators }) =>
    [...operators].map((name) => ({ target, row: operatorRow(name) })),
  );
  const terms = rules.search.map((target) => ({ target, row: operatorRow('ilike') }));
  for (const { target, row } of [...searched, ...terms, ...hostPaths(rules)]) {
    const { field, model, path } = target;
    const isRead = row?.need === 'foldedText' && (field?.foldedField || field?.kind === 'enum');
    if (!field || isRead || (row?.need !== 'text' && row?.need !== 'foldedText')) continue;
    if (!physical.get(model)?.columns.get(field.path)?.codec) continue;
    throw configurationError(
      `${model}.${field.path}: its column has a transformer, so that a pattern cannot be looked for in it; drop patterns and search, or give it a folded column for ilike and search.`,
      { model, path },
    );
  }
}
