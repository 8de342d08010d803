/** The form of a named hostile request. */

import type { ListRequestInput, QueryErrorCode } from '../../src/index.ts';

/** One refusal. */
export interface HostileCase {
  readonly name: string;
  readonly request: ListRequestInput;
  readonly code: QueryErrorCode;
  readonly details?: { readonly [name: string]: unknown };
}

/** The query string of one filter; the value is written as it goes out. */
export const filter = (path: string, operator: string, value: string): string =>
  `filter[${path}][${operator}]=${value}`;
