/** Public interface of the corpus: cases by topic. */

import type { CorpusCase } from './case.ts';
import { aggregates } from './aggregates.ts';
import { arrays } from './arrays.ts';
import { children } from './children.ts';
import { computed } from './computed.ts';
import { errors } from './errors.ts';
import { example } from './example.ts';
import { groups } from './groups.ts';
import { includes } from './includes.ts';
import { jsonPaths } from './json-paths.ts';
import { limits } from './limits.ts';
import { native } from './native.ts';
import { numbers } from './numbers.ts';
import { operators } from './operators.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';
import { peersRefuse } from './peers-refuse.ts';
import { quantifiers } from './quantifiers.ts';
import { relations } from './relations.ts';
import { search } from './search.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { whereTexts } from './where.ts';
import { world } from './world.ts';

export type { CorpusCase, Expectation } from './case.ts';
export { compileEndpoints, endpoints } from './endpoints.ts';
export type { EndpointName } from './endpoints.ts';
export { peersRefuse } from './peers-refuse.ts';

/** Topic name of a feature that comparable tools refuse. */
export const refusedTopic = (thing: string): string => `peers refuse ${thing}`;

/** All cases by topic. */
export const corpus: { readonly [topic: string]: readonly CorpusCase[] } = {
  example,
  operators,
  text,
  order,
  numbers,
  time,
  'json paths': jsonPaths,
  arrays,
  relations,
  groups,
  quantifiers,
  where: whereTexts,
  aggregates,
  'computed fields': computed,
  includes,
  children,
  search,
  native,
  limits,
  pages,
  errors,
  world,
  ...Object.fromEntries(
    Object.entries(peersRefuse).map(([thing, cases]) => [refusedTopic(thing), cases]),
  ),
};
