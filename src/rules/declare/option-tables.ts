/** Option tables of the rules declaration and the settings, for `checkOptions`. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { familiesRow } from '../../schema/index.ts';
import type { AggregateRule } from '../aggregates/aggregate.ts';
import type {
  ChildrenRule,
  FieldsRule,
  FilterRule,
  GroupsRule,
  PaginationRule,
  ProjectionRule,
  QuantifierRule,
  QueryLimits,
  QueryRulesDeclaration,
  QuerySettings,
  RelationProjectionRule,
  SortRule,
} from './declaration.ts';

const strings = option.listOf(option.string);

const filterTable = {
  path: option.required(option.string),
  operators: option.required(strings),
  wholeDays: option.boolean,
  alias: option.removed('is not an option; name the path as the schema does'),
} satisfies OptionTableOf<FilterRule, 'alias'>;

const groupsTable = {
  depth: option.required(option.wholeNumber(1, 8)),
  terms: option.required(option.wholeNumber(1)),
} satisfies OptionTableOf<GroupsRule>;

const quantifierTable = {
  path: option.required(option.string),
  quantifiers: option.nonEmptyListOf(option.oneOf('some', 'every', 'none')),
} satisfies OptionTableOf<Exclude<QuantifierRule, string>>;

const aggregateTable = {
  count: option.boolean,
  sum: strings,
  min: strings,
  max: strings,
  where: option.recordOf(option.plainObject),
} satisfies OptionTableOf<AggregateRule>;

const sortTable = {
  path: option.required(option.string),
  nulls: option.oneOf('first', 'last'),
} satisfies OptionTableOf<Exclude<SortRule, string>>;

const filtersRow = option.listOf({
  ...option.objectOf(filterTable),
  plural: "objects such as { path: 'name', operators: ['eq'] }",
});

const quantifiersRow = option.listOf(
  option.either(option.string, option.objectOf(quantifierTable)),
);

const sortsRow = option.listOf(option.either(option.string, option.objectOf(sortTable)));

const childrenTable = {
  filters: filtersRow,
  groups: option.objectOf(groupsTable),
  quantifiers: quantifiersRow,
  sorts: sortsRow,
  maxPerPage: option.wholeNumber(1),
} satisfies OptionTableOf<ChildrenRule>;

const maxChildren = option.orFalse(option.wholeNumber(1));

const projectionTable = {
  allowed: option.required(strings),
  default: option.required(strings),
} satisfies OptionTableOf<ProjectionRule>;

const projection = option.objectOf(projectionTable);

const relationProjection = option.objectOf({
  ...projectionTable,
  maxChildren,
} satisfies OptionTableOf<RelationProjectionRule>);

const all = option.oneOf('all');

const paginationTable = {
  maxUnpaginatedRows: option.wholeNumber(1),
  allowUnpaginated: option.boolean,
  mode: option.oneOf('offset', 'keyset', 'both'),
  count: option.either(
    option.oneOf('exact', 'none', 'capped'),
    option.objectOf({ capped: option.required(option.wholeNumber(1)) }),
  ),
  mergeBy: option.string,
} satisfies OptionTableOf<PaginationRule>;

const isSetting = option.removed('is a setting; settings are the argument after the rules');

const rulesTable = {
  filters: filtersRow,
  groups: option.objectOf(groupsTable),
  quantifiers: quantifiersRow,
  where: option.boolean,
  aggregates: option.recordOf(option.objectOf(aggregateTable)),
  sorts: sortsRow,
  fields: option.required(
    option.either(
      all,
      option.objectOf({
        root: option.required(option.either(all, projection)),
        relations: option.recordOf(relationProjection),
      } satisfies OptionTableOf<FieldsRule>),
    ),
  ),
  includes: strings,
  children: option.recordOf(option.objectOf(childrenTable)),
  search: strings,
  pagination: option.objectOf(paginationTable),
  operators: option.removed(
    "is not an option; each filter has its own, as in { path: 'name', operators: ['eq'] }",
  ),
  alias: option.removed('is not an option; name paths as the schema does'),
  maxPerPage: isSetting,
  defaultPerPage: isSetting,
  families: isSetting,
} satisfies OptionTableOf<
  QueryRulesDeclaration,
  'operators' | 'alias' | 'maxPerPage' | 'defaultPerPage' | 'families'
>;

const limitsTable = {
  maxQueryLength: option.wholeNumber(1),
  maxBodyLength: option.wholeNumber(1),
  maxFilters: option.wholeNumber(1),
  maxListLength: option.wholeNumber(1),
  maxTextLength: option.wholeNumber(1),
  maxOffset: option.wholeNumber(0),
  cost: option.wholeNumber(1),
} satisfies OptionTableOf<QueryLimits>;

/** A short secret could be guessed from one cursor. */
const secret = {
  ...option.matching('a string of at least 32 characters', /^[^]{32,}$/),
  plural: 'strings of at least 32 characters',
};

const settingsTable = {
  defaultPerPage: option.wholeNumber(1),
  maxPerPage: option.wholeNumber(1),
  maxUnpaginatedRows: option.wholeNumber(1),
  allowUnpaginated: option.boolean,
  maxChildren,
  families: familiesRow,
  portable: option.boolean,
  limits: option.objectOf(limitsTable),
  passthroughParams: option.listOf({
    ...option.matching('a name', /^[^[\]]*$/),
    plural: 'names without brackets ("a" lets a[b] through as well)',
  }),
  countCap: option.wholeNumber(1),
  cursorKeys: option.either(secret, option.nonEmptyListOf(secret)),
  scopes: option.plainObject,
  operators: option.removed(
    "is not an option; each filter has its own, as in { path: 'name', operators: ['eq'] }",
  ),
} satisfies OptionTableOf<QuerySettings, 'operators'>;

/** The arguments of `defineQueryRules`. */
export const defineQueryRulesTable = {
  registry: option.required(
    option.withMethods('a registry of schemas (make it with defineSchemaRegistry)', 'get'),
  ),
  model: option.required(option.string),
  rules: option.required(option.objectOf(rulesTable)),
  settings: option.objectOf(settingsTable),
};
