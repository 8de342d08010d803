/** Stands for the read of one row in the build for browsers, where sources have no database. */

import { configurationError } from '../../schema/index.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always: rows are read on servers */
export async function runOne(): Promise<never> {
  throw configurationError('A row is read on servers; run the request there.');
}
