/** Runs one case against a source and reports the differences. */

import { isDeepStrictEqual } from 'node:util';
import type { CompiledQueryRules, ListResult, QuerySource } from '../../src/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import type { CorpusCase, Expectation } from './corpus/index.ts';

/** The answer to a request: a body with status 200, or the envelope of an error. */
export type Answer =
  | { readonly status: 200; readonly body: ListResult }
  | { readonly status: number; readonly body: ReturnType<QueryError['toJSON']> };

/** Runs a request; errors other than `QueryError` are rethrown. */
export async function answer(
  source: QuerySource,
  request: string,
  rules: CompiledQueryRules,
): Promise<Answer> {
  try {
    return { status: 200, body: await runQuery(source, request, rules) };
  } catch (error) {
    if (!(error instanceof QueryError) || error.status >= 500) throw error;
    return { status: error.status, body: error.toJSON() };
  }
}

/** The part of an answer that the expectation speaks of, in the expectation's own form. */
function comparable(expect: Expectation, { status, body }: Answer): unknown {
  if ('code' in body) {
    const { code, details } = body;
    return 'details' in expect ? { status, code, details } : { status, code };
  }
  if ('body' in expect) return { body };
  const keys = body.data.map((row) => Object.values(row)[0]);
  if ('nextCursor' in body) {
    return { keys, next: body.nextCursor !== null, prev: body.prevCursor !== null };
  }
  return { keys, ...('total' in body && { total: body.total }) };
}

/** The first difference between expectation and answer, `null` where there is none; `asGiven` as a cell has it. */
export function difference(
  { expect }: CorpusCase,
  given: Answer,
  asGiven: (answer: string) => string,
): string | null {
  const actual = comparable(expect, given);
  // A body is compared as text as well: the order of its properties is part of its bytes.
  const bytes = JSON.stringify(actual);
  const equal =
    'body' in expect
      ? bytes === asGiven(JSON.stringify(expect))
      : isDeepStrictEqual(actual, expect);
  return equal ? null : `expected ${JSON.stringify(expect)}\nanswered ${bytes}`;
}
