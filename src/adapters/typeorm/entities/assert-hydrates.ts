/** Refuses rules that include a relation which TypeORM cannot join for entities. */

import type { DataSource } from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import type { CompiledQueryRules } from '../../../rules/index.ts';
import { configurationError } from '../../../schema/index.ts';
import { assertReplaceable } from '../foreign.ts';
import { mappedModelsOf } from '../describe/mapped-models.ts';

/** Characters with which TypeORM leaves the name of a join table's column without quotes. */
const unquoted = /[ =(),]/;

/**
 * Checks the includes of rules whose rows are entities.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when TypeORM cannot join one, or is of an unknown version
 */
export const assertHydrates = oncePer((rules: CompiledQueryRules, dataSource: DataSource): void => {
  assertReplaceable(dataSource.createQueryBuilder());
  const mapped = mappedModelsOf(rules.registry, dataSource);
  for (const { path, target, relation } of rules.includes.values()) {
    const { metadata, prefix = '' } = mapped.get(target.model) ?? {};
    const joined = metadata?.findRelationWithPropertyPath(prefix + relation.path);
    const owner = joined?.isOwning ? joined : joined?.inverseRelation;
    const columns = owner?.junctionEntityMetadata?.columns ?? [];
    const column = columns.find(({ databaseName }) => unquoted.test(databaseName));
    if (!column) continue;
    throw configurationError(
      `rules.includes "${path}": TypeORM cannot load entities through the column "${column.databaseName}" of a join table, whose name it does not quote; rename the column, or drop hydrate.`,
      { rule: 'includes', path },
    );
  }
});
