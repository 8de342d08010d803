/** The models and relations that an endpoint's rules reach; all of them must fit the source. */

import type { RelationDescriptor } from '../../schema/index.ts';
import type { AskedRows, CompiledQueryRules } from './compiled.ts';
import { crossedRelations } from './resolve-path.ts';

/** Relations crossed, by path, for every model that the rules reach; always contains the root. */
type ReachedModels = ReadonlyMap<string, ReadonlyMap<string, RelationDescriptor>>;

/** All rows that filters and sorts are asked of: those of the endpoint, and the children of its includes, which have a path. */
export const askedRowsOf = (
  rules: CompiledQueryRules,
): readonly (AskedRows & { readonly path?: string })[] => [rules, ...rules.children.values()];

/** Follows filters, sorts, includes with their fields, search, and the conditions of scopes through every relation. */
export function reachedModels(rules: CompiledQueryRules): ReachedModels {
  const reached = new Map<string, Map<string, RelationDescriptor>>([[rules.model, new Map()]]);
  const follow = (from: string, relations: readonly RelationDescriptor[]) => {
    let model = from;
    for (const relation of relations) {
      reached.get(model)?.set(relation.path, relation);
      model = relation.target;
      if (!reached.has(model)) reached.set(model, new Map());
    }
  };
  for (const { model, filters, sorts } of askedRowsOf(rules)) {
    for (const { target } of [...filters.values(), ...sorts.values()]) {
      follow(model, crossedRelations(target));
    }
  }
  for (const path of [
    ...[...rules.includes.values()].map(({ target }) => target),
    ...rules.search,
  ]) {
    follow(rules.model, crossedRelations(path));
  }
  for (const { from, target } of rules.scopes?.conditions ?? []) {
    follow(from, crossedRelations(target));
  }
  return reached;
}
