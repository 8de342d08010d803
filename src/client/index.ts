/**
 * `sluice/client`: requests, a client over `fetch`, and filters as text. For browsers and servers; imports neither
 * packages nor Node.js modules.
 */

export { buildQuery } from '../rules/index.ts';
export { describeRules } from '../rules/client/index.ts';
export type {
  ClientOperand,
  ClientRequest,
  ClientValue,
  CompiledQueryRules,
  ListResult,
  OperatorArity,
  OperatorName,
  QueryLimits,
  RequestOf,
  Row,
} from '../rules/index.ts';
export type {
  DescribedFields,
  DescribedFilter,
  DescribedInclude,
  DescribedOperator,
  DescribedPagination,
  DescribedSort,
  RulesDescription,
} from '../rules/client/index.ts';
export type { FieldKind } from '../schema/index.ts';
export { createListClient } from './list-client.ts';
export type { ListCallOptions, ListClient, ListClientOptions } from './list-client.ts';
export { ListClientError } from './list-client-error.ts';
export type { FilterTextError, FilterTextErrorCode } from './filter-text/filter-text-error.ts';
export { type TextFilter, parseFilterText, type ParsedFilterText } from './filter-text/parser.ts';
export { type PrintableFilter, printFilterText } from './filter-text/print-filter-text.ts';
export { type Suggestion, type Suggestions, suggest } from './filter-text/suggest.ts';
export type { FilterTextValue } from './filter-text/values.ts';
export {
  type ClientTableRequest,
  type ClientTableState,
  requestOfTable,
  tableOfRequest,
} from './table-state.ts';
