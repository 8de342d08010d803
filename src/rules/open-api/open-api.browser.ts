/** Stands for OpenAPI documents in the build for browsers: servers make them. */

import { configurationError } from '../../schema/index.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always. */
export const openApiParameters = (): never => {
  throw configurationError('OpenAPI documents are made on servers; request them there.');
};
