/** Which models and relations an endpoint's rules reach: they must fit the source for every request. */

import type { RelationDescriptor } from '../../schema/index.ts';
import type { CompiledQueryRules } from './compiled.ts';

/** Relations crossed, by path, of every model the rules reach; the root is always among them. */
export type ReachedModels = ReadonlyMap<string, ReadonlyMap<string, RelationDescriptor>>;

/** Follows filters, sorts, includes (and with them their fields) and search through every hop. */
export function reachedModels(rules: CompiledQueryRules): ReachedModels {
  const reached = new Map<string, Map<string, RelationDescriptor>>([[rules.model, new Map()]]);
  const follow = (relations: readonly RelationDescriptor[]) => {
    let { model } = rules;
    for (const relation of relations) {
      reached.get(model)?.set(relation.path, relation);
      model = relation.target;
      if (!reached.has(model)) reached.set(model, new Map());
    }
  };
  const targets = [...rules.filters.values(), ...rules.sorts.values(), ...rules.includes.values()];
  for (const { hops, relation } of [...targets.map(({ target }) => target), ...rules.search]) {
    follow(relation ? [...hops, relation] : hops);
  }
  return reached;
}
