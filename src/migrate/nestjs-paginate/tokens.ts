/** Operators of nestjs-paginate, and the tokens before a value: `$none:$not:$eq:Ball`. */

import { type OperatorName, type Quantifier, operatorRow } from '../../rules/index.ts';

/** The operator of each of theirs that has one. */
export const operatorNames: { readonly [token: string]: OperatorName } = {
  $eq: 'eq',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
  $in: 'in',
  $null: 'isNull',
  $btw: 'between',
  $ilike: 'ilike',
  $sw: 'istartsWith',
};

/** Quantifiers of a related row: `$all` means at least one, and every one. */
export const quantifierNames: { readonly [token: string]: readonly Quantifier[] } = {
  $any: ['some'],
  $none: ['none'],
  $all: ['some', 'every'],
};

/** The tokens of a condition, and its value. */
export interface Token {
  readonly quantifier: string;
  readonly isNegated: boolean;
  readonly operator: string;
  readonly value: string;
}

const operators = new Set([...Object.keys(operatorNames), '$contains']);

/** Reads at most four tokens; the text behind them is the value. */
export function readToken(text: string): Token {
  let quantifier = '$any';
  let operator = '$eq';
  let isNegated = false;
  const parts = text.split(':');
  let read = 0;
  for (const part of parts.slice(0, 4)) {
    if (Object.hasOwn(quantifierNames, part)) quantifier = part;
    else if (part === '$not') isNegated = true;
    else if (operators.has(part)) operator = part;
    else break;
    read += 1;
  }
  return { quantifier, operator, isNegated, value: parts.slice(read).join(':') };
}

/** Whether a column takes the tokens; `$eq` and `$any` it always takes. */
export function takes(allowed: readonly string[] | true, token: Token): boolean {
  if (allowed === true) return true;
  return (
    (token.operator === '$eq' || allowed.includes(token.operator)) &&
    (token.quantifier === '$any' || allowed.includes(token.quantifier)) &&
    (!token.isNegated || allowed.includes('$not'))
  );
}

/** The operator that keeps the other rows; none for `between` and `isNull`. */
export function oppositeOf(operator: OperatorName): OperatorName | undefined {
  const row = operatorRow(operator);
  return 'opposite' in row ? row.opposite : undefined;
}
