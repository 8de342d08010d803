/** Stands for the OpenAPI operation in the build for browsers, which have no OpenAPI documents. */

export { openApiParameters as openApiOperation } from './open-api.browser.ts';
