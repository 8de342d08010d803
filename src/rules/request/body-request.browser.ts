/** Stands for bodies of requests in the build for browsers: servers read them. */

import { configurationError } from '../../schema/index.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always. */
export const bodyRequest = (): never => {
  throw configurationError('Bodies of list requests are read on servers.');
};
