/** Entry file of `src/rules/client`: rules as JSON, beside what the core exports. */

export { valueText } from './build-query.ts';
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
