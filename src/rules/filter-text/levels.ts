/** The paths and quantifiers that may stand in one place of a filter text. */

import type { DescribedFilter, RulesDescription } from '../client/describe-rules.ts';

/** Paths that may stand in one place: of the rows of the endpoint, or of those of a relation. */
export interface Level {
  /** The path of the relation with a dot; empty for the rows of the endpoint. */
  readonly prefix: string;
  readonly filters: ReadonlyMap<string, DescribedFilter>;
  /** Quantifiers as they are written, such as `posts.some`. */
  readonly quantifiers: readonly string[];
}

const roots = new WeakMap<RulesDescription, Level>();

/** The paths and quantifiers of the rows of the endpoint, which all texts share. */
export function rootLevel(description: RulesDescription): Level {
  const found = roots.get(description) ?? levelOf(description, '');
  roots.set(description, found);
  return found;
}

/** The paths and quantifiers of one place. A relation behind another one with many rows is asked within that one. */
export function levelOf({ filters, quantifiers = [] }: RulesDescription, prefix: string): Level {
  const within = quantifiers.filter(({ path }) => path.startsWith(prefix));
  const nearest = within.filter(
    ({ path }) => !within.some((outer) => path.startsWith(`${outer.path}.`)),
  );
  const own = filters.filter(({ path }) => path.startsWith(prefix));
  const rest = (path: string): string => path.slice(prefix.length);
  return {
    prefix,
    filters: new Map(own.map((each) => [rest(each.path), { ...each, path: rest(each.path) }])),
    quantifiers: nearest.flatMap((each) =>
      each.quantifiers.map((name) => `${rest(each.path)}.${name}`),
    ),
  };
}
