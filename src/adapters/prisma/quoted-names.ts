/** Refuses names that the client's own queries do not quote: Prisma does not double the quote within a name. */

import { type CompiledQueryRules, type ResolvedPath, crossedRelations } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PrismaContext } from './context.ts';
import { familyFacts } from './family-facts.ts';

const checked = new WeakMap<CompiledQueryRules, PrismaContext>();

/**
 * Checks the tables and columns that requests can name, for sources whose rows the client reads itself.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID that names one which its queries would break
 */
export function assertQuoted(context: PrismaContext, rules: CompiledQueryRules): void {
  if (checked.get(rules) === context) return;
  const { physical } = context.describe.context;
  const { quote } = familyFacts[context.family];
  const assert = (where: string, what: 'column' | 'table', ...names: readonly string[]): void => {
    const name = names.find((each) => each.includes(quote));
    if (name === undefined) return;
    throw configurationError(
      `${where}: Prisma does not quote the ${what} name ${JSON.stringify(name)} in its own queries, which extensions and customize need; rename the ${what} in the database, or do without them.`,
      { model: rules.model },
    );
  };
  for (const [model, paths] of namedBy(rules)) {
    const { table, columns, relations } = physical.get(model) ?? {};
    assert(model, 'table', table?.name ?? '');
    for (const path of paths) {
      const where = `${model}.${path}`;
      assert(where, 'column', columns?.get(path)?.name ?? '');
      for (const hop of relations?.get(path)?.hops ?? []) {
        assert(where, 'table', hop.table.name);
        assert(where, 'column', ...hop.from, ...hop.to);
      }
    }
  }
  checked.set(rules, context);
}

/** The fields and relations of each model that requests can name, its key, and the companions. */
function namedBy(rules: CompiledQueryRules): ReadonlyMap<string, ReadonlySet<string>> {
  const { model: root, registry, filters, sorts, includes, search } = rules;
  const named = new Map<string, Set<string>>();
  const add = (model: string, ...paths: readonly (string | undefined)[]): void => {
    const known = named.get(model) ?? new Set(registry.get(model)?.primaryKey);
    named.set(model, known);
    for (const path of paths) if (path !== undefined) known.add(path);
  };
  const follow = (reached: ResolvedPath): void => {
    let at = root;
    for (const { path, target } of crossedRelations(reached)) {
      add(at, path);
      at = target;
    }
    const { path, foldedField, portableOrderField } = reached.field ?? {};
    add(at, path, foldedField, portableOrderField);
  };
  add(root, ...rules.root.allowed);
  for (const { target } of [...filters.values(), ...sorts.values()]) follow(target);
  for (const path of search) follow(path);
  for (const { target, relation, projection } of includes.values()) {
    follow(target);
    add(relation.target, ...projection.allowed);
  }
  return named;
}
