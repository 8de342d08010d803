/** Filters and searches of nestjs-paginate as the conditions of a request. */

import {
  type OperatorName,
  fieldNotAllowed,
  operatorNotAllowed,
  operatorRow,
  syntaxError,
} from '../../rules/index.ts';
import { type Column, pathOf } from './columns.ts';
import type { NestjsPaginateConfig } from './config.ts';
import { type Expression, readExpression } from './expression.ts';
import type { PaginateRequest } from './request.ts';
import {
  type Token,
  operatorNames,
  oppositeOf,
  quantifierNames,
  readToken,
  takes,
} from './tokens.ts';

/** Conditions by path, and members of groups. */
export interface Conditions {
  [path: string]: Conditions | Conditions[] | Operand | undefined;
  $and?: Conditions[];
  $or?: Conditions[];
}

type Operand = string | boolean | readonly string[];

/**
 * The conditions of a request.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED or OPERATOR_NOT_ALLOWED for a filter that the configuration does not name, if it
 * throws on invalid filters, and always in an expression; otherwise such a filter is ignored, as there.
 */
export function conditionsOf(
  { filter, expression, search, searchBy }: PaginateRequest,
  config: NestjsPaginateConfig,
  find: (name: string) => Column | null,
): Conditions {
  const conditions: Conditions = {};
  for (const [name, texts] of filter) {
    for (const text of texts)
      putLeaf(conditions, name, text, config, find, config.throwOnInvalidFilter);
  }
  if (expression !== null) {
    const { filterExpressionMaxComplexity: most = 100 } = config;
    and(conditions, groupOf(readExpression(expression, most), config, find));
  }
  if (search !== '' && !isPlainSearch(search, searchBy, config)) {
    const words = config.multiWordSearch
      ? search.split(' ').filter((word) => word !== '')
      : [search];
    const columns = searchBy.flatMap((name) => find(name) ?? []);
    for (const word of words) {
      and(conditions, { $or: columns.map(({ path }) => ({ [path]: { ilike: word } })) });
    }
  }
  return conditions;
}

/** Adds the condition of a column, unless the configuration does not name it. */
function putLeaf(
  conditions: Conditions,
  name: string,
  text: string,
  config: NestjsPaginateConfig,
  find: (name: string) => Column | null,
  isStrict = false,
): void {
  const { filterableColumns = {} } = config;
  const allowed = Object.hasOwn(filterableColumns, name) ? filterableColumns[name] : undefined;
  const token = readToken(text);
  if (allowed === undefined || !takes(allowed, token)) {
    if (!isStrict) return;
    throw allowed === undefined
      ? fieldNotAllowed('filter', undefined)
      : operatorNotAllowed(pathOf(name), token.operator);
  }
  const column = find(name);
  const operator = operatorNames[token.operator];
  // The configuration takes it, and the rules cannot: without it the list would have other rows.
  if (!column) throw fieldNotAllowed('filter', pathOf(name));
  if (!operator) throw operatorNotAllowed(column.path, token.operator);
  if (!column.field) return put(conditions, column.path, 'isNull', token.quantifier === '$none');
  for (const quantifier of quantifierNames[token.quantifier] ?? []) {
    const [within, path] = placeOf(conditions, column, quantifier);
    putToken(within, path, operator, token, column);
    // There a row without the related row has no value; here the value is null.
    if (operator === 'isNull' && !token.isNegated && column.one !== null) {
      put(within, column.one, 'isNull', false);
    }
  }
}

/**
 * An expression as a group. A negation is one of its conditions, as there: that of a related row also keeps the rows that
 * have none.
 */
function groupOf(
  expression: Expression,
  config: NestjsPaginateConfig,
  find: (name: string) => Column | null,
  isNegated = false,
): Conditions {
  if (expression.type === 'not') return groupOf(expression.member, config, find, !isNegated);
  if (expression.type !== 'leaf') {
    const members = expression.members.map((each) => groupOf(each, config, find, isNegated));
    return (expression.type === 'and') === isNegated ? { $or: members } : { $and: members };
  }
  const leaf: Conditions = {};
  putLeaf(leaf, expression.column, expression.text, config, find, true);
  if (!isNegated) return leaf;
  const column = find(expression.column);
  if (column && column.relation !== '' && readToken(expression.text).quantifier !== '$any') {
    throw syntaxError('A condition with a quantifier cannot be negated.', { param: 'filter' });
  }
  const isOfOne = column?.one && column.many.length === 0;
  return isOfOne ? { $or: [{ $not: leaf }, { [column.one]: { isNull: true } }] } : { $not: leaf };
}

/** Whether `search` says the same: one text, in all columns. */
export const isPlainSearch = (
  search: string,
  searchBy: readonly string[],
  { multiWordSearch, searchableColumns = [] }: NestjsPaginateConfig,
): boolean =>
  !(multiWordSearch && search.includes(' ')) && searchBy.length === searchableColumns.length;

/** The conditions of one row of the relations with many rows that a column crosses, and the rest of its path. */
function placeOf(
  conditions: Conditions,
  { path, many }: Column,
  quantifier: string,
): readonly [Conditions, string] {
  let within = conditions;
  let start = 0;
  for (const [depth, relation] of many.entries()) {
    const asked = member(within, relation.slice(start));
    within = member(asked, depth === 0 ? `$${quantifier}` : '$some');
    start = relation.length + 1;
  }
  return [within, path.slice(start)];
}

function member(conditions: Conditions, name: string): Conditions {
  return (conditions[name] ??= {}) as Conditions;
}

function putToken(
  conditions: Conditions,
  path: string,
  operator: OperatorName,
  { isNegated, value }: Token,
  column: Column,
): void {
  if (operator === 'isNull') return put(conditions, path, operator, !isNegated);
  const isList = takesList(operator);
  const texts = (isList ? value.split(',').map((text) => text.trim()) : [value]).map((text) =>
    valueOf(text, column),
  );
  const operand = isList ? texts : (texts[0] ?? '');
  const opposite = oppositeOf(operator);
  if (!isNegated) put(conditions, path, operator, operand);
  else if (opposite) put(conditions, path, opposite, operand);
  else and(conditions, { $not: { [path]: { [operator]: operand } } });
}

/** Adds a condition; a second one of the same path and operator is a member of `$and`. */
function put(conditions: Conditions, path: string, operator: string, operand: Operand): void {
  const given = member(conditions, path);
  if (given[operator] === undefined) given[operator] = operand;
  else and(conditions, { [path]: { [operator]: operand } });
}

function and(conditions: Conditions, one: Conditions): void {
  (conditions.$and ??= []).push(one);
}

const takesList = (operator: OperatorName): boolean => {
  const { arity } = operatorRow(operator);
  return arity === 'list' || arity === 'pair';
};

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/** A value as the field takes it: an instant may be a date, or without a zone, which means the zone of the process. */
function valueOf(text: string, { field }: Column): string {
  if (field?.kind !== 'datetime' || !isoDate.test(text)) return text;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString();
}
