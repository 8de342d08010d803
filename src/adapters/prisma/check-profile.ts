/** Checks the database of a Prisma source against the database profile. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { PhysicalSchema } from '../../relational/index.ts';
import { profileViolations, refuseViolations } from '../../relational/profile/index.ts';
import type { CatalogueRow, ProfileViolation, RunSql } from '../../relational/profile/index.ts';
import type { PrismaClientLike } from './client.ts';
import { familyFacts } from './family-facts.ts';
import type { PrismaSource } from './source.ts';

/** A source made by `prismaSource`, of any row type. */
export type ProfiledSource = Pick<PrismaSource<unknown, unknown>, 'describe' | 'execute'>;

/**
 * Reads the catalogue and the session settings of the source's database and returns the differences from the database
 * profile; empty when all models of the source conform. The settings are those of one connection, so set them in the
 * database or in the driver adapter's configuration, not on single connections.
 */
export async function checkProfile(source: ProfiledSource): Promise<ProfileViolation[]> {
  const { dialect, physical, registry } = source.describe.context;
  const { family } = dialect;
  const run = runnerOn(source.execute.client, family);
  const violations = await profileViolations(family, run, physical, registry);
  return [...violations, ...(await clientChecks[family](run, physical))];
}

/** Checks of values that a family's driver adapter may read differently from their stored form. */
const clientChecks: {
  readonly [F in DatabaseFamily]: (
    run: RunSql,
    physical: PhysicalSchema,
  ) => Promise<ProfileViolation[]>;
} = { postgresql: async () => [], mysql: checkYears, sqlite: checkDecimals };

/** An instant of the year 1 must be read unchanged, and not as one of the year 2001. */
async function checkYears(run: RunSql): Promise<ProfileViolation[]> {
  const [row] = await run(`select cast('0001-01-01 00:00:00' as datetime) as instant`);
  const instant = row?.['instant'];
  if (instant instanceof Date && instant.getUTCFullYear() === 1) return [];
  const detail =
    'the driver adapter takes years before 100 for later ones; wrap it in exactYears() of sluice/prisma';
  return [{ rule: 'datetime-form', where: 'client', detail }];
}

/**
 * The adapter recognises decimals by the name of their type and guesses the type of other columns from their first row.
 */
async function checkDecimals(run: RunSql, physical: PhysicalSchema): Promise<ProfileViolation[]> {
  const violations: ProfileViolation[] = [];
  for (const { model, table, columns } of physical.values()) {
    const declared = await run('select name, type from pragma_table_xinfo(?)', [table.name]);
    const types = new Map(declared.map((row) => [row['name'], String(row['type'])]));
    for (const { path, name, kind, storage } of columns.values()) {
      const type = types.get(name);
      if (kind !== 'decimal' || storage !== 'native' || type === undefined) continue;
      if (type.toUpperCase() === 'DECIMAL') continue;
      const detail = `type ${type}, which the driver adapter does not read as a decimal; declare it DECIMAL`;
      violations.push({ rule: 'decimal', where: `${model}.${path}`, detail });
    }
  }
  return violations;
}

/**
 * Checks the database profile at boot.
 *
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are violations, with all of them in `details.violations`
 */
export async function enforceProfile(source: ProfiledSource): Promise<void> {
  refuseViolations(await checkProfile(source));
}

function runnerOn(client: PrismaClientLike, family: DatabaseFamily): RunSql {
  return async (text, values = []) => {
    if (familyFacts[family].catalogueAsJson) return catalogueRows(client, text, values);
    return (await client.$queryRawUnsafe(text, ...values)) as readonly CatalogueRow[];
  };
}

/** PostgreSQL's catalogue has types that Prisma's raw queries cannot read; the rows are selected as JSON instead. */
async function catalogueRows(
  client: PrismaClientLike,
  text: string,
  values: readonly (string | null)[],
): Promise<readonly CatalogueRow[]> {
  let index = 0;
  const numbered = text.replaceAll('?', () => {
    index += 1;
    return `$${index}`;
  });
  const query = `select to_json(answered) as "row" from (${numbered}) as answered`;
  const rows = await client.$queryRawUnsafe(query, ...values);
  return (rows as readonly { readonly row: CatalogueRow }[]).map(({ row }) => row);
}
