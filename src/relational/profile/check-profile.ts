/** `checkProfile` and `enforceProfile`: compare the database of a source with the profile of its family. */

import { QueryError } from '../../schema/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import type { PhysicalSchema } from '../compile/physical.ts';
import { driverError } from '../read/driver-error.ts';
import type { RelationalSource } from '../relational-source.ts';
import type { ProfileViolation, RunProfileQuery } from './violation.ts';
import { profileRunner } from './violation.ts';

/** A source to check, with rows of any type. */
export type ProfiledSource = Pick<RelationalSource<unknown, unknown>, 'describe' | 'execute'>;

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences to the profile;
 * empty when all models of the source conform. A session belongs to one connection: set its settings on the database or
 * in the configuration of the pool, not on single connections.
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 */
export async function checkProfile(source: ProfiledSource): Promise<ProfileViolation[]> {
  const { family, context, clientProfile } = source.describe;
  const { physical, registry } = context;
  const queried = profileRunner(source.execute);
  const run: RunProfileQuery = async (query, values) => {
    try {
      return await queried(query, values);
    } catch (error) {
      throw driverError(family, error, undefined);
    }
  };
  return [
    ...(await family.profile(run, physical)),
    ...(family.dialect.exactDecimals ? [] : unorderedDecimals(physical, registry)),
    ...((await clientProfile?.(run, physical)) ?? []),
  ];
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
 * Checks the profile at boot.
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are differences, with all of them in `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  const violations = await checkProfile(source);
  if (violations.length === 0) return;
  const lines = violations.map(({ rule, where, detail }) => `${where} (${rule}): ${detail}.`);
  throw new QueryError(
    'PORTABILITY_PROFILE_MISMATCH',
    `The database does not match the profile. ${lines.join(' ')}`,
    { violations },
  );
}
