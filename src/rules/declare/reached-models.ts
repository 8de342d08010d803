/** Which models and relations an endpoint's rules reach: what must be right for every request they allow. */

import type { RelationDescriptor } from '../../schema/index.ts';
import type { CompiledQueryRules } from './compiled.ts';

/** Relations crossed, by path, of every model the rules reach; the root is always among them. */
export type ReachedModels = ReadonlyMap<string, ReadonlyMap<string, RelationDescriptor>>;

/** Follows filters, sorts, includes (and with them their fields) and search through every hop. */
export function reachedModels(rules: CompiledQueryRules): ReachedModels {
  const reached = new Map<string, Map<string, RelationDescriptor>>([[rules.model, new Map()]]);
  const follow = (path: readonly string[]) => {
    let model = rules.model;
    for (const segment of path) {
      const schema = rules.registry.get(model);
      const relation = schema?.relations.find((candidate) => candidate.path === segment);
      if (!relation) return;
      reached.get(model)?.set(segment, relation);
      model = relation.target;
      if (!reached.has(model)) reached.set(model, new Map());
    }
  };
  const targets = [...rules.filters.values(), ...rules.sorts.values()].map(({ target }) => target);
  for (const { path } of [...targets, ...rules.search, ...rules.includes.values()]) {
    // The last segment of most paths is a field, where following ends.
    follow(path.split('.'));
  }
  return reached;
}
