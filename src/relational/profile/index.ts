/** Public interface of `src/relational/profile`: compares a database with the profile of its family. */

import type { DatabaseFamily } from '../../rules/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import { families } from '../families.ts';
import type { PhysicalSchema } from '../index.ts';
import type { ProfileViolation, RunSql } from './violation.ts';

export type { CatalogueRow, ProfileRule, ProfileViolation, RunSql } from './violation.ts';

/** Deviations of a database from the profile of its family, for the tables of a physical schema. */
export async function profileViolations(
  family: DatabaseFamily,
  run: RunSql,
  physical: PhysicalSchema,
  registry: SchemaRegistry,
): Promise<ProfileViolation[]> {
  const violations = await families[family].profile(run, physical);
  return families[family].dialect.exactDecimals
    ? violations
    : [...violations, ...unorderedDecimals(physical, registry)];
}

/** Decimals stored as text sort as text, so that their numeric order requires an order companion. */
function unorderedDecimals(physical: PhysicalSchema, registry: SchemaRegistry): ProfileViolation[] {
  return [...physical.values()].flatMap(({ model, columns }) =>
    (registry.get(model)?.fields ?? []).flatMap(({ path, portableOrderField }) => {
      if (columns.get(path)?.storage !== 'numeric-text' || portableOrderField) return [];
      const detail = 'a decimal in a TEXT column sorts as text; give it a portableOrderField';
      return [{ rule: 'decimal' as const, where: `${model}.${path}`, detail }];
    }),
  );
}

/**
 * Throws an error with all violations, if any, in `details.violations`.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are violations.
 */
export function refuseViolations(violations: readonly ProfileViolation[]): void {
  if (violations.length === 0) return;
  const lines = violations.map(({ rule, where, detail }) => `${where} (${rule}): ${detail}.`);
  throw new QueryError(
    'PORTABILITY_PROFILE_MISMATCH',
    `The database does not match the profile. ${lines.join(' ')}`,
    { violations },
  );
}
