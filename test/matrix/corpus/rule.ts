/** Filter rules in one line: a path and groups of operators. */

import type { OperatorName } from '../../../src/index.ts';

export const equality = ['eq', 'ne', 'in', 'notIn'] as const;
export const order = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
export const text = [
  'like',
  'notLike',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
] as const;
export const folded = ['ilike', 'notIlike', 'istartsWith', 'notIstartsWith'] as const;

export const arrays = [
  'has',
  'notHas',
  'hasAny',
  'notHasAny',
  'hasAll',
  'notHasAll',
  'isEmpty',
] as const;

export const rule = (
  path: string,
  ...operators: readonly (OperatorName | readonly OperatorName[])[]
): { path: string; operators: OperatorName[] } => ({ path, operators: operators.flat() });
