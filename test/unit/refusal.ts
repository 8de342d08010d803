/** What a refused call threw, so that a test can look at its code, message and details. */

import { expect } from 'vitest';
import { QueryError } from '../../src/index.ts';

/** The `QueryError` of the call; the test fails when it throws nothing or anything else. */
export function refusalOf(call: () => unknown): QueryError {
  try {
    call();
  } catch (error) {
    if (error instanceof QueryError) return error;
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
