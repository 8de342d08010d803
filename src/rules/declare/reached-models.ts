/** The models and relations that an endpoint's rules reach; all of them must fit the source. */

import type { RelationDescriptor } from '../../schema/index.ts';
import { aggregateOf } from '../aggregates/aggregate.ts';
import type { ResolvedPredicate } from '../plan/plan.ts';
import type { AskedRows, CompiledQueryRules, ResolvedPath } from './compiled.ts';
import type { OperatorRow } from './operators.ts';
import { crossedRelations } from './resolve-path.ts';

/** Relations crossed, by path, for every model that the rules reach; always contains the root. */
type ReachedModels = ReadonlyMap<string, ReadonlyMap<string, RelationDescriptor>>;

/** All rows that filters and sorts are asked of: those of the endpoint, and the children of its includes, which have a path. */
export const askedRowsOf = (
  rules: CompiledQueryRules,
): readonly (AskedRows & { readonly path?: string })[] => [rules, ...rules.children.values()];

/** A path in a condition that the host has written, from its model. */
interface HostPath {
  readonly from: string;
  readonly target: ResolvedPath;
  /** The operator; absent for a relation whose rows meet conditions. */
  readonly row?: OperatorRow;
}

/** The paths in conditions of scopes, and in those that values over relations name. */
export function hostPaths(rules: CompiledQueryRules): readonly HostPath[] {
  const found: HostPath[] = [...(rules.scopes?.conditions ?? [])];
  const add = (from: string, predicate: ResolvedPredicate) => {
    const target = 'target' in predicate ? predicate.target : undefined;
    const row = predicate.type === 'condition' ? predicate.row : undefined;
    if (target) found.push({ from, target, ...(row && { row }) });
    if (predicate.type === 'condition') return;
    const inner = target?.relation?.target ?? from;
    for (const member of predicate.predicates) add(inner, member);
  };
  for (const { field } of rules.aggregates.values()) {
    const { relation, where } = aggregateOf(field) ?? {};
    if (relation && where) add(relation.target, where);
  }
  return found;
}

/** Follows filters, sorts, includes with their fields, search, and the conditions of the host through every relation. */
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
  const aggregates = [...rules.aggregates.values()];
  const includes = [...rules.includes.values()].map(({ target }) => target);
  for (const path of [...includes, ...rules.search, ...aggregates]) {
    follow(rules.model, crossedRelations(path));
  }
  for (const { from, target } of hostPaths(rules)) follow(from, crossedRelations(target));
  return reached;
}
