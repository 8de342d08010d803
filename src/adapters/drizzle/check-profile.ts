/** Checks the database of a Drizzle source against the database profile. */

import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { profileViolations, refuseViolations } from '../../relational/profile/index.ts';
import type { CatalogueRow, ProfileViolation, RunSql } from '../../relational/profile/index.ts';
import type { DrizzleSource } from './source.ts';

/** A source made by `drizzleSource`, of any row type. */
export type ProfiledSource = Pick<DrizzleSource<unknown, unknown>, 'execute' | 'describe'>;

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences from the database
 * profile; empty when all models of the source conform. The settings are those of one connection, so set them in the
 * database or in the pool's configuration, not on single connections.
 */
export async function checkProfile(source: ProfiledSource): Promise<ProfileViolation[]> {
  const { dialect, physical, registry } = source.describe.context;
  const run = runnerOn(source.execute.handle);
  return profileViolations(dialect.family, run, physical, registry);
}

/**
 * Checks the database profile at boot.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are violations, with all of them in `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  refuseViolations(await checkProfile(source));
}

/** SQLite databases have `all`, those of the other families `execute`. */
interface ExecutingHandle {
  execute?(query: SQL): Promise<unknown>;
  all?(query: SQL): unknown;
}

function runnerOn(db: object): RunSql {
  const handle = db as ExecutingHandle;
  return async (text, values = []) => {
    const query = bound(text, values);
    return rowsOf(await (handle.all ? handle.all(query) : handle.execute?.(query)));
  };
}

function bound(text: string, values: readonly (string | null)[]): SQL {
  const parts = text.split('?').map((part) => sql.raw(part));
  return sql.join(
    parts.flatMap((part, index) => (index === 0 ? [part] : [sql`${values[index - 1]}`, part])),
  );
}

/** Drivers return rows, `{rows}`, or a pair of rows and metadata. */
function rowsOf(result: unknown): readonly CatalogueRow[] {
  if (!Array.isArray(result)) return (result as { rows: CatalogueRow[] }).rows;
  return Array.isArray(result[0]) ? (result[0] as CatalogueRow[]) : (result as CatalogueRow[]);
}
