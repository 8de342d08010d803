/** Stands for the hook of hosts in the build for browsers, which have no sources. */

import { configurationError } from '../../schema/index.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always. */
export const transformedPlan = (): never => {
  throw configurationError('transformPlan runs on servers.');
};
