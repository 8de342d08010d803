/** Door of `src/rules`: what an endpoint authorises, and the way from a request to its answer. */

export type {
  CompiledFilter,
  CompiledInclude,
  CompiledPagination,
  CompiledProjection,
  CompiledQueryRules,
  CompiledSort,
  ResolvedPath,
} from './compiled.ts';
export type {
  DatabaseFamily,
  FilterRule,
  PaginationRule,
  ProjectionRule,
  QueryLimits,
  QueryRulesDeclaration,
  QuerySettings,
  SortRule,
} from './declaration.ts';
export { assertSource } from './assert-source.ts';
export { BoundedCache } from './bounded-cache.ts';
export { buildQuery } from './build-query.ts';
export type { ClientOperand, ClientRequest, ClientValue, RequestOf } from './client-request.ts';
export { defineQueryRules } from './define-query-rules.ts';
export type { ListRequestInput } from './list-request.ts';
export type { KeysetResult, ListResult, OffsetResult, UnpaginatedResult } from './list-result.ts';
export { type OpenApiParameter, openApiParameters } from './open-api.ts';
export type { OpenApiSchema } from './open-api-schema.ts';
export type { OperatorName } from './operators.ts';
export type {
  AndPredicate,
  ConditionPredicate,
  CountPolicy,
  KeysetPosition,
  OrPredicate,
  OrderTerm,
  PageWindow,
  PlanValue,
  Predicate,
  ProjectionNode,
  ProjectionRelation,
  QueryPlan,
} from './plan.ts';
export { planQuery } from './plan-query.ts';
export { resolvePath } from './resolve-path.ts';
export { type QueryOptions, runQuery } from './run-query.ts';
export type {
  CustomizeScope,
  DescribedField,
  DescribedModel,
  DescribedRelation,
  PageRows,
  PreparedRead,
  QuerySource,
  ReadOptions,
  Row,
  SourceOrigin,
} from './source.ts';
export type { SourceDifference, SourceRule } from './source-differences.ts';
export type { TransformPlan } from './transform-plan.ts';
export type { Included, JsonForm, JsonForms, RowOf } from './row-type.ts';
export type { CheckedDeclaration, Refused } from './typed-declaration.ts';
