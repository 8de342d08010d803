/** Hostile requests, in the three forms a request may have: query string, `URLSearchParams`, parsed object. */

import fc from 'fast-check';
import { hostileObject } from './request-objects.ts';
import { pairs, valuesOf } from './request-parts.ts';
import type { HostileRequest } from './request-parts.ts';
import { hostileQueryString } from './request-strings.ts';

const hostileSearchParams: fc.Arbitrary<HostileRequest> = pairs.map((list) => ({
  input: new URLSearchParams(list.map(([key, value]): [string, string] => [key, value])),
  values: valuesOf(list),
}));

/** Requests of every form. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 5, arbitrary: hostileQueryString },
  { weight: 1, arbitrary: hostileSearchParams },
  { weight: 3, arbitrary: hostileObject },
);
