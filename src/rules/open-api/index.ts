/** Entry file of `src/rules/open-api`: describes the parameters and answers of rules, for documents of OpenAPI. */

export { type OpenApiParameter, openApiParameters } from './open-api.ts';
export {
  type OpenApiOperation,
  type OpenApiOperationOptions,
  type OpenApiRequestBody,
  type OpenApiResponse,
  openApiOperation,
} from './operation.ts';
export type { OpenApiAnswerSchema } from './answer-schema.ts';
export type { OpenApiSchema } from './open-api-schema.ts';
