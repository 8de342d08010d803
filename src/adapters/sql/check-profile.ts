/** Checks the database of a source against the database profile. */

import { profileViolations, refuseViolations } from '../../relational/profile/index.ts';
import type { ProfileViolation } from '../../relational/profile/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { SqlSource } from './source.ts';

/** A source made by `sqlSource`, of any row type. */
export type ProfiledSource = Pick<SqlSource<unknown>, 'describe' | 'execute'>;

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences from the database
 * profile; empty when all models of the source conform. The settings are those of one connection, so set them in the
 * database or in the pool's configuration, not on single connections.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the source runs on a custom executor without `named`
 */
export async function checkProfile(source: ProfiledSource): Promise<ProfileViolation[]> {
  const { dialect, physical, registry } = source.describe.context;
  const { execute } = source;
  if (!execute.named) throw configurationError('The executor of the source has no "named".');
  return profileViolations(
    dialect.family,
    async (text, values = []) => {
      let index = 0;
      const sql = text.replaceAll('?', () => dialect.placeholder((index += 1)));
      return (await execute.named?.(sql, values)) ?? [];
    },
    physical,
    registry,
  );
}

/**
 * Checks the database profile at boot.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are differences, with all of them in
 * `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  refuseViolations(await checkProfile(source));
}
