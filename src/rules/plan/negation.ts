/**
 * The negation of predicates, as SQL has it: a row is kept where the predicate is false, and not where it is unknown because
 * of null. It is worked out before SQL is written, so that statements have no negation that could meet null.
 */

import type { SchemaRegistry } from '../../schema/index.ts';
import type { ResolvedPath } from '../declare/compiled.ts';
import { operatorRow } from '../declare/operators.ts';
import { resolvedTarget } from '../declare/path-target.ts';
import { pathFrom } from '../declare/resolve-path.ts';
import type { PlanValue, RelatedQuantifier, ResolvedCondition, ResolvedPredicate } from './plan.ts';
import { relatedPredicate, resolvedCondition } from './resolved.ts';

/** The quantifier that is true where another is not; both are never unknown. */
export const oppositeQuantifiers: { readonly [Type in RelatedQuantifier]: RelatedQuantifier } = {
  some: 'none',
  none: 'some',
  every: 'someNot',
  someNot: 'every',
};

/** All of the predicates, or one of them; a single one as it is. */
export function joined(
  type: 'and' | 'or',
  predicates: readonly ResolvedPredicate[],
): ResolvedPredicate {
  const [only] = predicates;
  if (only && predicates.length === 1) return only;
  return Object.freeze({ type, predicates: Object.freeze(predicates) });
}

/** The predicate that keeps the rows for which another one is false; paths begin at `model`. */
export function negation(
  registry: SchemaRegistry,
  model: string,
  predicate: ResolvedPredicate,
): ResolvedPredicate {
  switch (predicate.type) {
    case 'condition':
      return negatedCondition(registry, model, predicate);
    case 'and':
    case 'or': {
      const members = predicate.predicates.map((member) => negation(registry, model, member));
      return joined(predicate.type === 'and' ? 'or' : 'and', members);
    }
    case 'some':
    case 'none':
    case 'every':
    case 'someNot':
      return relatedPredicate(
        oppositeQuantifiers[predicate.type],
        predicate.target,
        predicate.predicates,
      );
  }
}

function negatedCondition(
  registry: SchemaRegistry,
  model: string,
  { target, row, value }: ResolvedCondition,
): ResolvedPredicate {
  const many = target.hops.findIndex(({ cardinality }) => cardinality === 'many');
  const relation = target.hops[many];
  if (relation) {
    // One related row that meets a condition is enough, so that its negation is that none does.
    const hops = target.hops.slice(0, many + 1).map((hop) => hop.path);
    const outer = hops.join('.');
    const inner = pathFrom(target, hops.length);
    return relatedPredicate('none', resolvedTarget(registry, model, outer) as ResolvedPath, [
      resolvedCondition(inner as ResolvedPath, row, value),
    ]);
  }
  switch (row.comparison) {
    case 'null':
    case 'empty':
      return resolvedCondition(target, row, value !== true);
    case 'range': {
      const [low, high] = value as readonly [PlanValue, PlanValue];
      return joined('or', [
        resolvedCondition(target, operatorRow('lt'), low),
        resolvedCondition(target, operatorRow('gt'), high),
      ]);
    }
    case 'equality':
    case 'order':
    case 'membership':
    case 'pattern':
    case 'members':
      return resolvedCondition(target, operatorRow(row.opposite), value);
  }
}
