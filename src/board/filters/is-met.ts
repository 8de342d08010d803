/** Whether a job meets a filter, in memory: the same answers as of the conditions in SQL. */

import { operatorRow } from '../../rules/index.ts';
import type { ConditionPredicate, PlanValue } from '../../rules/index.ts';
import { foldText } from '../../schema/index.ts';
import type { JobFilter } from './job-filter.ts';

/** A value of a job; null where it has none. */
export type JobValue = string | number | null;

/** Negative, zero or positive, as texts are ordered by code point and numbers by size. */
function order(value: string | number, operand: PlanValue): number {
  if (typeof value === 'number') return value - Number(operand);
  return Buffer.compare(Buffer.from(value), Buffer.from(String(operand)));
}

const bounds = {
  '=': (at: number) => at === 0,
  '<>': (at: number) => at !== 0,
  '<': (at: number) => at < 0,
  '<=': (at: number) => at <= 0,
  '>': (at: number) => at > 0,
  '>=': (at: number) => at >= 0,
};

function holds(value: JobValue, { operator, value: operand }: ConditionPredicate): boolean {
  const row = operatorRow(operator);
  if (row.comparison === 'null') return (value === null) === operand;
  if (value === null) return false;
  const operands = [operand].flat() as readonly PlanValue[];
  const [first = '', last = ''] = operands;
  switch (row.comparison) {
    case 'equality':
    case 'order':
      return bounds[row.sql](order(value, first));
    case 'range':
      return order(value, first) >= 0 && order(value, last) <= 0;
    case 'membership':
      return operands.some((each) => order(value, each) === 0) !== row.negated;
    case 'pattern':
      return foldText(String(value)).includes(foldText(String(first))) !== row.negated;
    case 'members':
    case 'empty':
      throw new TypeError(`A job has no values for ${operator}.`);
  }
}

/** Whether the job whose values `valueOf` tells meets the filter. */
export function isMet(filter: JobFilter, valueOf: (path: string) => JobValue): boolean {
  if (filter.type === 'condition') return holds(valueOf(filter.path), filter);
  const { type, predicates } = filter;
  return type === 'and'
    ? predicates.every((each) => isMet(each, valueOf))
    : predicates.some((each) => isMet(each, valueOf));
}
