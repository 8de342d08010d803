/** `sluice`: the core. Loads no ORM, no driver, no framework and no Node-only module. */

export {
  QueryError,
  defineQuerySchema,
  defineSchemaRegistry,
  foldText,
  portableOrderKey,
} from './schema/index.ts';
export type {
  FieldDescriptor,
  FieldKind,
  JsonPathKind,
  JsonPaths,
  QueryErrorCode,
  ConfigurationDetails,
  ConfigurationProblem,
  ProfileRule,
  ProfileViolation,
  QueryErrorDetails,
  QueryErrorDetailsByCode,
  QueryErrorEnvelope,
  QueryErrorOf,
  SourceDifference,
  SourceRule,
  QuerySchema,
  RegistryShape,
  RelationDescriptor,
  SchemaRegistry,
} from './schema/index.ts';
export {
  assertSource,
  bodyRequest,
  buildQuery,
  defineQueryRules,
  planQuery,
  runOne,
  runQuery,
  truncatedIn,
} from './rules/index.ts';
export type * from './rules/index.ts';
export { openApiOperation, openApiParameters } from './rules/open-api/index.ts';
export type * from './rules/open-api/index.ts';
