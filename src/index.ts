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
  buildQuery,
  defineQueryRules,
  openApiParameters,
  planQuery,
  runQuery,
} from './rules/index.ts';
export type * from './rules/index.ts';
