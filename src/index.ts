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
  JsonPaths,
  QueryErrorCode,
  ConfigurationDetails,
  ConfigurationProblem,
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
  explainCost,
  planQuery,
  runOne,
  runQuery,
  truncatedIn,
} from './rules/index.ts';
// Declarations of endpoints.
export type {
  CompiledQueryRules,
  DatabaseFamily,
  FieldsRule,
  FilterRule,
  GroupsRule,
  ModelScope,
  ModelScopes,
  OperatorName,
  PaginationRule,
  ProjectionRule,
  QuantifierRule,
  QueryLimits,
  QueryRulesDeclaration,
  QuerySettings,
  RelationProjectionRule,
  RulesTypes,
  ScopeOf,
  SortRule,
} from './rules/index.ts';
// Requests and their options.
export type {
  BodyRequest,
  CustomizeScope,
  ListRequestInput,
  PlanOptions,
  QueryOptions,
  QueryTimings,
  RequestOf,
  ItemOptions,
  TermCost,
  TransformPlan,
} from './rules/index.ts';
// Plans, which hosts change.
export type {
  AndPredicate,
  ConditionPredicate,
  OrPredicate,
  OrderTerm,
  PageWindow,
  PlanValue,
  Predicate,
  ProjectionNode,
  QueryPlan,
  RelatedPredicate,
  ResolvedPlan,
} from './rules/index.ts';
// Sources and results.
export type {
  CappedResult,
  CountedResult,
  KeysetPage,
  KeysetResult,
  ListResult,
  OffsetPage,
  OffsetResult,
  QuerySource,
  ResultOf,
  Row,
  RowIn,
  RowOf,
  UncountedResult,
  UnpaginatedResult,
  WholeList,
} from './rules/index.ts';
export { openApiOperation, openApiParameters } from './rules/open-api/index.ts';
export type {
  OpenApiOperation,
  OpenApiOperationOptions,
  OpenApiParameter,
  OpenApiSchema,
} from './rules/open-api/index.ts';
