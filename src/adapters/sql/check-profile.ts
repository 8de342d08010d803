/** Checks the database of a source against the database profile. */

import { profileViolations, refuseViolations } from '../../relational/profile/index.ts';
import type { ProfileViolation } from '../../relational/profile/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { SqlSource } from './source.ts';

/** A source made by `sqlSource`, whatever its rows. */
export type ProfiledSource = Pick<SqlSource<unknown>, 'describe' | 'execute'>;

/**
 * Reads the catalogue and the session of the source's database and returns the differences to the profile; empty when
 * all models of the source conform. A session is that of one connection: settings belong into the database or the
 * configuration of the pool, not into single connections.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the source runs on an executor of the host's own that gives no
 * rows by name
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
 * Checks the profile at boot.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are differences, with all of them in `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  refuseViolations(await checkProfile(source));
}
