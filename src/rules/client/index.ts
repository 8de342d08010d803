/** Entry file of `src/rules/client`: rules as JSON and filters as text, beside what the core exports. */

export type { PrintableFilter } from './client-request.ts';
export { describeRules } from './describe-rules.ts';
export type {
  DescribedChildren,
  DescribedFields,
  DescribedFilter,
  DescribedInclude,
  DescribedOperator,
  DescribedPagination,
  DescribedQuantifier,
  DescribedSort,
  RulesDescription,
} from './describe-rules.ts';
export type { FilterTextError, FilterTextErrorCode } from '../filter-text/filter-text-error.ts';
export { parseFilterText, type ParsedFilterText } from '../filter-text/parse-filter-text.ts';
export type { TextFilter } from '../filter-text/placed-conditions.ts';
export { printFilterText } from '../filter-text/print-filter-text.ts';
export { type Suggestion, type Suggestions, suggest } from '../filter-text/suggest.ts';
export { tokensOf } from '../filter-text/tokens.ts';
export type { FilterTextValue } from '../filter-text/values.ts';
