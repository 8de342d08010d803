/** Door of the corpus: its cases by topic. */

import type { CorpusCase } from './case.ts';
import { errors } from './errors.ts';
import { example } from './example.ts';
import { includes } from './includes.ts';
import { numbers } from './numbers.ts';
import { operators } from './operators.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';
import { relations } from './relations.ts';
import { search } from './search.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { world } from './world.ts';

export type { CorpusCase, Expectation } from './case.ts';
export { compileEndpoints, endpoints } from './endpoints.ts';
export type { EndpointName } from './endpoints.ts';

/** Every case, by topic. */
export const corpus: { readonly [topic: string]: readonly CorpusCase[] } = {
  example,
  operators,
  text,
  order,
  numbers,
  time,
  relations,
  includes,
  search,
  pages,
  errors,
  world,
};
