/**
 * `sluice/client`: requests, a client over `fetch`, and filters as text. For browsers and servers; imports neither
 * packages nor Node.js modules.
 */

export { buildQuery } from '../rules/index.ts';
export { describeRules, parseFilterText, printFilterText, suggest } from '../rules/client/index.ts';
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
  FilterTextError,
  FilterTextErrorCode,
  FilterTextValue,
  ParsedFilterText,
  PrintableFilter,
  RulesDescription,
  Suggestion,
  Suggestions,
  TextFilter,
} from '../rules/client/index.ts';
export type { FieldKind } from '../schema/index.ts';
export { createListClient } from './list-client.ts';
export type { ListCallOptions, ListClient, ListClientOptions } from './list-client.ts';
export { ListClientError } from './list-client-error.ts';
export {
  type ClientTableRequest,
  type ClientTableState,
  requestOfTable,
  tableOfRequest,
} from './table-state.ts';
