/** Compares the database of a source with the profile of its family. */

import { type CompiledQueryRules, askedRowsOf, hostPaths, operatorRow } from '../../rules/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import type { CatalogueTable } from '../catalogue.ts';
import type { PhysicalSchema } from '../compile/physical.ts';
import { checkNullable } from './nullable-columns.ts';
import { type IndexUse, type TablesOf, indexUses, lackingIndexes } from './index-uses.ts';
import { checkUniqueTargets } from './unique-targets.ts';
import { familyTools } from '../tools/index.ts';
import { driverError } from '../read/driver-error.ts';
import type { ProfiledSource } from './on-demand.ts';
import type {
  ProfileRule,
  ProfileViolation,
  RunProfileQuery,
  SearchedColumn,
} from './violation.ts';
import { profileRunner } from './violation.ts';

/** Rules of the profile that matter only where several families must give equal answers. */
const portableOnly: ReadonlySet<ProfileRule> = new Set([
  'collation',
  'enum-order',
  'decimal',
  'column-type',
]);

/** The differences to the profile, and the indexes that rules have a use for. */
interface FoundProfile {
  readonly violations: readonly ProfileViolation[];
  readonly uses: readonly IndexUse[];
}

export async function readProfile(
  source: ProfiledSource,
  rules: CompiledQueryRules | undefined,
): Promise<FoundProfile> {
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
  const tools = familyTools[context.dialect.family];
  const tablesOf = oncePerSchema((schema) => tools.readCatalogue(source.execute, schema, []));
  const violations = [
    ...(await tools.profile(run, physical)),
    ...(await checkNullable(run, tools.nullableColumns, context)),
    ...(await guarded(checkUniqueTargets(tablesOf, source.describe))),
    ...(family.dialect.exactDecimals ? [] : unorderedDecimals(physical, registry)),
    ...((await clientProfile?.(run, physical)) ?? []),
  ];
  const uses = rules ? await guarded(indexUses(context, tablesOf, rules)) : [];
  violations.push(...lackingIndexes(uses));
  if (rules?.families.length !== 1) return { violations, uses };
  const searched = (await tools.searchIndexes?.(run, searchedColumns(physical, rules))) ?? [];
  const own = violations.filter(({ rule }) => !portableOnly.has(rule));
  return { violations: [...own, ...searched], uses };
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

/** See `readIndexUses` of the entry file. */
export async function readIndexUses(
  { describe, execute }: ProfiledSource,
  rules: CompiledQueryRules,
): Promise<IndexUse[]> {
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
  const filters = askedRowsOf(rules).flatMap((rows) => [...rows.filters.values()]);
  const folding = filters.filter(({ operators }) =>
    [...operators].some((name) => operatorRow(name).need === 'foldedText'),
  );
  const own = hostPaths(rules).filter(({ row }) => row?.need === 'foldedText');
  const found = new Map<string, SearchedColumn>();
  const searched = [...folding, ...own].map(({ target }) => target);
  for (const { model, field } of [...rules.search, ...searched]) {
    const owner = physical.get(model);
    const column = field && owner?.columns.get(field.path);
    if (!owner || column?.kind !== 'string' || column.expression || field?.foldedField) continue;
    const where = `${model}.${field?.path}`;
    found.set(where, { table: owner.table, name: column.name, where });
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
