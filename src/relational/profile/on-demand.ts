/** The checks of a database, whose parts are loaded with the first one: most processes make them once or never. */

import { type OptionTableOf, checkOptions } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { CompiledQueryRules } from '../../rules/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { IndexUse } from './index-uses.ts';
import type { ProfileRule, ProfileViolation } from './violation.ts';
import type { RelationalSource } from '../read/relational-read.ts';

/** A source to check, with rows of any type. */
export type ProfiledSource = Pick<RelationalSource<unknown, unknown>, 'describe' | 'execute'>;

/** Rules that rows are shown rightly without. */
const advice: ReadonlySet<ProfileRule> = new Set(['index', 'search-index', 'first-row']);

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences to the profile;
 * empty when all models of the source conform. A session belongs to one connection: set its settings on the database or
 * in the configuration of the pool, not on single connections.
 *
 * With the rules of an endpoint, the result names the indexes that its sorts, filters and includes lack (rule `index`).
 * Where they serve one family, the database may have its own collations and types, and the result names the index that
 * each search without a folded companion lacks (rule `search-index`).
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 */
export async function checkProfile(
  source: ProfiledSource,
  rules?: CompiledQueryRules,
): Promise<ProfileViolation[]> {
  const { readProfile } = await import('./check-profile.ts');
  return [...(await readProfile(source, rules)).violations];
}

/**
 * The indexes that a source has for what rules allow, and those that it lacks, with the statements that create them.
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 */
export async function readIndexUses(
  source: ProfiledSource,
  rules: CompiledQueryRules,
): Promise<IndexUse[]> {
  const checks = await import('./check-profile.ts');
  return checks.readIndexUses(source, rules);
}

/** Options of a check at boot. */
export interface EnforceOptions {
  /**
   * Whether one line in the log names the sorts without an index on tables beyond a million rows, and the statements that
   * create these. Default: true.
   */
  readonly warnOfSorts?: boolean;
  /** Receives the line. Default: `console`. */
  readonly logger?: {
    /** Receives a line. */
    warn(line: string): void;
  };
}

const optionTable = {
  warnOfSorts: option.boolean,
  logger: option.withMethods('an object with a function warn', 'warn'),
} satisfies OptionTableOf<EnforceOptions>;

/** Rows from which on a sort without an index is too slow to go unnoticed. */
const manyRows = 1_000_000;

/**
 * Checks the profile at boot. A missing index is not an error, and neither is a relation that is read as its first row.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are differences, with all of them in `details.violations`
 */
export async function enforceProfile(
  source: ProfiledSource,
  rules?: CompiledQueryRules,
  options: EnforceOptions = {},
): Promise<void> {
  checkOptions('enforceProfile', options, optionTable);
  const { readProfile } = await import('./check-profile.ts');
  const found = await readProfile(source, rules);
  const violations = found.violations.filter(({ rule }) => !advice.has(rule));
  if (violations.length > 0) {
    const lines = violations.map(({ rule, where, detail }) => `${where} (${rule}): ${detail}.`);
    throw new QueryError(
      'PORTABILITY_PROFILE_MISMATCH',
      `The database does not match the profile. ${lines.join(' ')}`,
      { violations },
    );
  }
  const { warnOfSorts = true, logger = console } = options;
  if (!rules || !warnOfSorts) return;
  const slow = found.uses.filter(
    ({ index, rows, serves }) =>
      index === null && (rows ?? 0) > manyRows && serves.some((use) => use.startsWith('sort ')),
  );
  if (slow.length === 0) return;
  const lines = slow.map(({ serves, statement }) => `${serves.join(', ')}: ${statement}`);
  logger.warn(
    `sluice: sorts of ${rules.model} without an index on tables beyond a million rows. ${lines.join('; ')}`,
  );
}
