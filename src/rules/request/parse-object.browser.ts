/** Stands for the objects of query parsers in the build for browsers, which have `URLSearchParams` instead. */

import { syntaxError } from './request-error.ts';

/** @throws {QueryError} QUERY_SYNTAX_INVALID always. */
export function parseObject(): never {
  throw syntaxError('In browsers, a request is a string or a URLSearchParams.');
}
