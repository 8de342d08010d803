/** Door of `src/schema`: what a model is. */

export type {
  FieldDescriptor,
  FieldKind,
  ModelShape,
  QuerySchema,
  RegistryShape,
  RelationDescriptor,
  RelationShape,
  SchemaRegistry,
} from './types.ts';
export { QueryError, configurationError, queryErrorStatus } from './query-error.ts';
export type { QueryErrorCode, QueryErrorDetails, QueryErrorEnvelope } from './query-error.ts';
