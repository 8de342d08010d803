/** `checkProfile` and `enforceProfile`: compare the database of a source with the profile of its family. */

import { type CompiledQueryRules, operatorRow } from '../../rules/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import type { CatalogueTable } from '../catalogue.ts';
import type { PhysicalSchema } from '../compile/physical.ts';
import { checkNullable } from './nullable-columns.ts';
import { type IndexUse, type TablesOf, indexUses, lackingIndexes } from './index-uses.ts';
import { checkUniqueTargets } from './unique-targets.ts';
import { driverError } from '../read/driver-error.ts';
import type { RelationalSource } from '../relational-source.ts';
import type {
  ProfileRule,
  ProfileViolation,
  RunProfileQuery,
  SearchedColumn,
} from './violation.ts';
import { profileRunner } from './violation.ts';

/** A source to check, with rows of any type. */
export type ProfiledSource = Pick<RelationalSource<unknown, unknown>, 'describe' | 'execute'>;

/** Rules that rows are shown rightly without. */
const advice: ReadonlySet<ProfileRule> = new Set(['index', 'search-index', 'first-row']);

/** Rules of the profile that matter only where several families must give equal answers. */
const portableOnly: ReadonlySet<ProfileRule> = new Set([
  'collation',
  'enum-order',
  'decimal',
  'column-type',
]);

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
  const { family, context, clientProfile } = source.describe;
  const { physical, registry } = context;
  const queried = profileRunner(source.execute);
  const guarded = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      throw driverError(family, error, undefined);
    }
  };
  const run: RunProfileQuery = (query, values) => guarded(queried(query, values));
  // Loaded with the first check, which most processes make once or never.
  const { familyTools } = await import('../tools/index.ts');
  const tools = familyTools[context.dialect.family];
  const tablesOf = oncePerSchema((schema) => tools.readCatalogue(source.execute, schema, []));
  const violations = [
    ...(await tools.profile(run, physical)),
    ...(await checkNullable(run, tools.nullableColumns, context)),
    ...(await guarded(checkUniqueTargets(tablesOf, source.describe))),
    ...(family.dialect.exactDecimals ? [] : unorderedDecimals(physical, registry)),
    ...((await clientProfile?.(run, physical)) ?? []),
  ];
  if (rules) violations.push(...lackingIndexes(await guarded(indexUses(context, tablesOf, rules))));
  if (rules?.families.length !== 1) return violations;
  const searched = searchedColumns(physical, rules);
  return [
    ...violations.filter(({ rule }) => !portableOnly.has(rule)),
    ...((await tools.searchIndexes?.(run, searched)) ?? []),
  ];
}

/** Reads the tables of each schema once. */
function oncePerSchema(
  read: (schema: string | null) => Promise<readonly CatalogueTable[]>,
): TablesOf {
  const schemas = new Map<string | undefined, Promise<readonly CatalogueTable[]>>();
  return (schema) => {
    const known = schemas.get(schema) ?? read(schema ?? null);
    schemas.set(schema, known);
    return known;
  };
}

/**
 * The indexes that a source has for what rules allow, and those that it lacks, with the statements that create them.
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 */
export async function readIndexUses(
  { describe, execute }: ProfiledSource,
  rules: CompiledQueryRules,
): Promise<IndexUse[]> {
  const { familyTools } = await import('../tools/index.ts');
  const { readCatalogue } = familyTools[describe.context.dialect.family];
  const tablesOf = oncePerSchema((schema) => readCatalogue(execute, schema, []));
  try {
    return await indexUses(describe.context, tablesOf, rules);
  } catch (error) {
    throw driverError(describe.family, error, undefined);
  }
}

/** The text columns that an endpoint searches in any case without a folded companion. */
function searchedColumns(physical: PhysicalSchema, rules: CompiledQueryRules): SearchedColumn[] {
  const folding = [...rules.filters.values()].filter(({ operators }) =>
    [...operators].some((name) => operatorRow(name).need === 'foldedText'),
  );
  const found = new Map<string, SearchedColumn>();
  for (const { model, field } of [...rules.search, ...folding.map(({ target }) => target)]) {
    const searched = physical.get(model);
    const column = field && searched?.columns.get(field.path);
    if (!searched || column?.kind !== 'string' || field?.foldedField) continue;
    const where = `${model}.${field?.path}`;
    found.set(where, { table: searched.table, name: column.name, where });
  }
  return [...found.values()];
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
 * Checks the profile at boot. A missing index of a search is not an error, and neither is a relation that is read as its
 * first row.
 *
 * @throws {QueryError} SOURCE_UNAVAILABLE when the database cannot answer
 * @throws {QueryError} PORTABILITY_PROFILE_MISMATCH when there are differences, with all of them in `details.violations`
 */
export async function enforceProfile(
  source: ProfiledSource,
  rules?: CompiledQueryRules,
): Promise<void> {
  const found = await checkProfile(source, rules);
  const violations = found.filter(({ rule }) => !advice.has(rule));
  if (violations.length === 0) return;
  const lines = violations.map(({ rule, where, detail }) => `${where} (${rule}): ${detail}.`);
  throw new QueryError(
    'PORTABILITY_PROFILE_MISMATCH',
    `The database does not match the profile. ${lines.join(' ')}`,
    { violations },
  );
}
