/** Checks the database of a TypeORM source against the database profile. */

import type { EntityManager, ObjectLiteral } from 'typeorm';
import { profileViolations, refuseViolations } from '../../relational/profile/index.ts';
import type { CatalogueRow, ProfileViolation, RunSql } from '../../relational/profile/index.ts';
import type { TypeormSource } from './source.ts';

/** A source made by `typeormSource`, of any row type. */
export type ProfiledSource = Pick<TypeormSource<unknown, ObjectLiteral>, 'describe' | 'execute'>;

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences from the database
 * profile; empty when all models of the source's registry conform. The settings are those of one connection, so set
 * them in the database or in the DataSource's options, not on single connections.
 */
export async function checkProfile(source: ProfiledSource): Promise<ProfileViolation[]> {
  const { dialect, physical, registry } = source.describe.context;
  return profileViolations(
    dialect.family,
    runnerOn(source.execute.manager, dialect.placeholder),
    physical,
    registry,
  );
}

/**
 * Checks the database profile at boot.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are violations, with all of them in `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  refuseViolations(await checkProfile(source));
}

function runnerOn(manager: EntityManager, placeholder: (index: number) => string): RunSql {
  return async (text, values = []) => {
    let index = 0;
    const sql = text.replaceAll('?', () => placeholder((index += 1)));
    return manager.query<CatalogueRow[]>(sql, [...values]);
  };
}
