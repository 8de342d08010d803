/** The error of a refused call, so that a test can look at its code, message and details. */

import { expect } from 'vitest';
import { QueryError, type QueryErrorCode } from '../../src/index.ts';

/** The `QueryError` of the call, `Code` being the code that the test expects of it. Fails on anything else. */
export function refusalOf<Code extends QueryErrorCode = QueryErrorCode>(
  call: () => unknown,
): QueryError<Code> {
  try {
    call();
  } catch (error) {
    if (error instanceof QueryError) return error as QueryError<Code>;
    throw error;
  }
  return expect.fail('The call was accepted.');
}

/** Every object reachable from the value that is not frozen, by path. */
export function thawedParts(value: unknown, path = '$'): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, member]) =>
    thawedParts(member, `${path}.${key}`),
  );
  return Object.isFrozen(value) ? below : [path, ...below];
}
