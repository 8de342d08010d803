/** Entry file of `src/rules`: declarations, requests, plans and results. */

export type {
  AskedRows,
  CompiledChildren,
  CompiledFilter,
  CompiledInclude,
  CompiledPagination,
  CompiledProjection,
  CompiledQueryRules,
  ScopeIn,
  CompiledQuantifier,
  CompiledSort,
  FilterLevel,
  ResolvedPath,
} from './declare/compiled.ts';
export type {
  ChildrenRule,
  DatabaseFamily,
  FieldsRule,
  FilterRule,
  GroupsRule,
  PaginationRule,
  ProjectionRule,
  RelationProjectionRule,
  Quantifier,
  QuantifierRule,
  QueryLimits,
  QueryRulesDeclaration,
  QuerySettings,
  SortRule,
} from './declare/declaration.ts';
export { askedRowsOf, hostPaths } from './declare/reached-models.ts';
export {
  type Aggregate,
  type AggregateField,
  type AggregateRule,
  type AggregateRules,
  aggregateOf,
  isAggregate,
} from './aggregates/aggregate.ts';
export { compiledRules } from './declare/assert-compiled.ts';
export { hasOrder, operatorObstacle } from './declare/field-capability.ts';
export { assertPair, assertSource, querySource } from './read/assert-source.ts';
export { buildQuery } from './client/build-query.ts';
export type { ClientOperand, ClientRequest, RequestOf } from './client/client-request.ts';
export type { ClientValue, RulesTypes } from './typed/rules-types.ts';
export { type TermCost, explainCost, filterCost } from './declare/cost.ts';
export { defineQueryRules } from './declare/define-query-rules.ts';
export { defineQueryRulesTable } from './declare/option-tables.ts';
export { type BodyRequest, bodyRequest } from './request/body-request.ts';
export {
  fieldNotAllowed,
  operatorNotAllowed,
  syntaxError,
  tooLong,
  valueInvalid,
} from './request/request-error.ts';
export type { ListRequestInput } from './request/list-request.ts';
export {
  type CappedResult,
  type CountedResult,
  type KeysetPage,
  type KeysetResult,
  type ListResult,
  type OffsetPage,
  type OffsetResult,
  type ResultOf,
  type RowIn,
  type UncountedResult,
  type UnpaginatedResult,
  type WholeList,
  markTruncated,
  truncatedIn,
} from './read/list-result.ts';
export {
  type OperatorArity,
  type OperatorName,
  type OperatorRow,
  type Rounding,
  type TextPlace,
  operatorRow,
  operatorRows,
} from './declare/operators.ts';
export type {
  AndPredicate,
  ConditionPredicate,
  CountPolicy,
  KeysetPosition,
  OrPredicate,
  OrderTerm,
  PageWindow,
  PlanScopes,
  PlanValue,
  Predicate,
  ProjectionNode,
  ProjectionRelation,
  QueryPlan,
  ResolvedCondition,
  ResolvedPlan,
  RelatedPredicate,
  RelatedQuantifier,
  ResolvedPredicate,
  ResolvedRelated,
  TextBeginning,
} from './plan/plan.ts';
export { type PlanOptions, planQuery } from './plan/plan-query.ts';
export type { KeyValue, ItemKey } from './plan/plan-item.ts';
export { textDigest } from './plan/cursor/long-text.ts';
export { cursorInvalid } from './request/request-error.ts';
export { resolvedTarget } from './declare/path-target.ts';
export { crossedRelations, resolvePath } from './declare/resolve-path.ts';
export type { CompiledScopes, ModelScope, ModelScopes, ScopeOf } from './declare/scopes.ts';
export { runOne } from './read/run-one.ts';
export { type QueryOptions, type ItemOptions, listAnswer, runQuery } from './read/run-query.ts';
export { type PlanMemo, memoOf } from './plan/kept-parts.ts';
export type {
  CustomizeScope,
  DescribedField,
  DescribedModel,
  DescribedRelation,
  ListedEntity,
  CountedRows,
  PageRows,
  ExplainedStatement,
  PreparedRead,
  QuerySource,
  ReadOptions,
  Row,
  SourceOrigin,
} from './read/source.ts';
export { itemOptionTable, queryOptionTable } from './read/option-tables.ts';
export type { QueryTimings, StatementTimer } from './read/timings.ts';
export { textHash } from './plan/cursor/text-hash.ts';
export { resolvePredicate } from './plan/resolve-predicate.ts';
export type { TransformPlan } from './plan/transform-plan.ts';
export { withoutEnumPatterns } from './plan/enum-patterns.ts';
export { orderTerm, resolvedCondition, withMembers } from './plan/resolved.ts';
export type { JsonForm, JsonForms } from '../schema/index.ts';
export type { CheckedDeclaration } from './typed/declaration.ts';
export type { PairedRules } from './typed/pairing.ts';
export type { Refused, RefusedName } from './typed/paths.ts';
export type { CheckedSettings } from './typed/settings.ts';
export type { ShownRow, Included, RowOf } from './typed/shown-row.ts';
