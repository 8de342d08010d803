/** Compiles the `quantifiers` of a declaration: the relations whose rows a request may ask to meet conditions together. */

import { type Refusals, type SchemaRegistry, configurationError } from '../../schema/index.ts';
import { aggregateOf } from '../aggregates/aggregate.ts';
import type { CompiledFilter, CompiledQuantifier, FilterLevel, ResolvedPath } from './compiled.ts';
import type { Quantifier, QuantifierRule } from './declaration.ts';
import { unresolved } from './known-paths.ts';
import { pathFrom, resolvePath } from './resolve-path.ts';

const every: readonly Quantifier[] = ['some', 'every', 'none'];

/** A quantifier under construction. */
interface Open extends CompiledQuantifier {
  readonly quantifiers: Map<string, CompiledQuantifier>;
}

/** The compiled quantifiers of the rows of the endpoint by path; those of deeper relations are within them. */
export function compileQuantifiers(
  registry: SchemaRegistry,
  model: string,
  rules: readonly QuantifierRule[],
  filters: FilterLevel['filters'],
  refusals: Pick<Refusals, 'attempt'>,
): FilterLevel['quantifiers'] {
  const root = new Map<string, CompiledQuantifier>();
  const known = new Map<string, Open>();
  const add = (rule: QuantifierRule) => {
    const { path, quantifiers = every } = typeof rule === 'string' ? { path: rule } : rule;
    const whole = resolvePath(registry, model, path);
    if (!whole) throw refusal(path, unresolved(registry, model, path, 'relation'));
    const { relation, hops } = whole;
    if (relation?.cardinality !== 'many') {
      throw refusal(path, 'it is not a relation with many rows; name its fields in filters.');
    }
    if (known.has(path)) throw refusal(path, 'the relation is named twice.');
    const crossed = hops.findLastIndex(({ cardinality }) => cardinality === 'many') + 1;
    const before = hops.slice(0, crossed).map((hop) => hop.path);
    const parent = known.get(before.join('.'));
    if (crossed > 0 && !parent) {
      throw refusal(
        path,
        `it is behind "${before.join('.')}", which has many rows; name that relation before it.`,
      );
    }
    const from = parent?.target.relation?.target ?? model;
    const own = parent ? path.slice(parent.path.length + 1) : path;
    const found: Open = {
      path,
      target: resolvePath(registry, from, own) as ResolvedPath,
      allowed: new Set(quantifiers),
      filters: filtersFrom(registry, relation.target, path, filters),
      quantifiers: new Map(),
    };
    if (found.filters.size === 0) {
      throw refusal(path, `no filter is asked of its rows; name one such as "${path}.<field>".`);
    }
    known.set(path, found);
    (parent?.quantifiers ?? root).set(own, Object.freeze(found));
  };
  // A relation comes before those behind it.
  const depth = (rule: QuantifierRule) =>
    (typeof rule === 'string' ? rule : rule.path).split('.').length;
  for (const rule of rules.toSorted((a, b) => depth(a) - depth(b))) {
    refusals.attempt(() => add(rule));
  }
  return root;
}

/** The filters whose paths continue that of a relation, by the rest of their path. */
function filtersFrom(
  registry: SchemaRegistry,
  model: string,
  path: string,
  filters: FilterLevel['filters'],
): ReadonlyMap<string, CompiledFilter> {
  const found = new Map<string, CompiledFilter>();
  for (const [whole, filter] of filters) {
    if (!whole.startsWith(`${path}.`)) continue;
    const rest = whole.slice(path.length + 1);
    const target = aggregateOf(filter.target.field)
      ? pathFrom(filter.target, path.split('.').length)
      : resolvePath(registry, model, rest);
    if (target) found.set(target.path, Object.freeze({ ...filter, target, whole }));
  }
  return found;
}

function refusal(path: string, message: string) {
  return configurationError(`rules.quantifiers "${path}": ${message}`, {
    rule: 'quantifiers',
    path,
  });
}
