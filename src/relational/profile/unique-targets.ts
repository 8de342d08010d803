/** Finds `one` relations to columns of which the catalogue knows no unique key, so that several rows may be found. */

import { type CatalogueForeignKey, type CatalogueTable, tableNamed } from '../catalogue.ts';
import { isDeclaredUnique, isWithin } from '../compile/first-row.ts';
import type { PhysicalHop, PhysicalRelation } from '../compile/physical.ts';
import type { TablesOf } from './index-uses.ts';
import type { SourceDescription } from '../read/source-description.ts';
import type { ProfileViolation } from './violation.ts';

/**
 * The violations of all models. From then on, the description reads relations to keys that are declared, and lacking in
 * the catalogue, as their first rows, and relies on foreign keys. A view has no keys in a catalogue, so that its declared
 * keys are believed. Keys of a table are compared by name without upper and lower case, which some servers do not
 * distinguish.
 */
export async function checkUniqueTargets(
  tablesOf: TablesOf,
  describe: SourceDescription,
): Promise<ProfileViolation[]> {
  const { context } = describe;
  const [lacking, enforced] = [new Set<PhysicalRelation>(), new Set<PhysicalRelation>()];
  const violations: ProfileViolation[] = [];
  for (const { model, table: own, relations } of context.physical.values()) {
    for (const relation of relations.values()) {
      const [hop, ...more] = relation.hops;
      if (relation.cardinality === 'many' || !hop || more.length > 0) continue;
      if (!context.physical.has(relation.target)) continue;
      const table = tableNamed(await tablesOf(hop.table.schema), hop.table.name);
      if (!table || table.isView) continue;
      if (isUnique(table, hop)) {
        const from = tableNamed(await tablesOf(own.schema), own.name);
        if (from && hasForeignKey(from, table, hop)) enforced.add(relation);
        continue;
      }
      const columns = `${hop.table.name} (${hop.to.join(', ')})`;
      const where = `${model}.${relation.path}`;
      const isDeclared = isDeclaredUnique(context, relation);
      if (isDeclared) lacking.add(relation);
      violations.push(
        isDeclared
          ? {
              rule: 'unique',
              where,
              detail: `no unique index on ${columns}, which is declared unique: this process reads the relation as its first row by the primary key from now on, and repeats rows without this check; add the index, or correct the declaration`,
            }
          : {
              rule: 'first-row',
              where,
              detail: `no unique index on ${columns}: the relation is read as its first row by the primary key; add the index and declare it`,
            },
      );
    }
  }
  describe.readAs(lacking, enforced);
  return violations;
}

const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());

/** Whether each row has its row of the target, by a foreign key from columns that are never null. */
function hasForeignKey(own: CatalogueTable, target: CatalogueTable, hop: PhysicalHop): boolean {
  const [from, to] = [lower(hop.from), lower(hop.to)];
  const isHop = ({ columns, to: referenced, isEnforced, schema, table }: CatalogueForeignKey) =>
    isEnforced &&
    schema === target.schema &&
    table === target.name &&
    columns.length === from.length &&
    lower(columns).every((name, at) => to[from.indexOf(name)] === lower(referenced)[at]);
  const isNever = (name: string) =>
    own.columns.some((column) => column.name.toLowerCase() === name && !column.nullable);
  return own.foreignKeys.some(isHop) && from.every(isNever);
}

const isUnique = ({ uniqueKeys }: CatalogueTable, { to }: PhysicalHop): boolean =>
  uniqueKeys.some((key) => isWithin(lower(key), lower(to)));
