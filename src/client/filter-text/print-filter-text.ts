/** `printFilterText`: the filter of a request as a person would write it. */

import type { ClientValue, OperatorName } from '../../rules/index.ts';
import type { RulesDescription } from '../../rules/client/index.ts';
import { emptiness, printedOperator } from './spellings.ts';
import { printValue } from './values.ts';

/** A filter as `buildQuery` takes it. */
export interface PrintableFilter {
  readonly [path: string]:
    | {
        readonly [Operator in OperatorName]?: ClientValue | readonly ClientValue[] | undefined;
      }
    | undefined;
}

/**
 * Writes a filter as text; `parseFilterText` of the text returns the filter, with its values in canonical form. Paths
 * and operators are not checked against the description.
 *
 * @throws {RangeError} when a number is not finite, a `Date` is not valid, or an operator does not exist.
 */
export function printFilterText(description: RulesDescription, filter: PrintableFilter): string {
  const parts: string[] = [];
  for (const [path, operands] of Object.entries(filter)) {
    const described = description.filters.find((each) => each.path === path);
    for (const [operator, operand] of Object.entries(operands ?? {})) {
      if (operand === undefined) continue;
      const condition =
        operator === 'isNull'
          ? `is ${isTrue(operand) ? '' : 'not '}${emptiness(described)}`
          : conditionText(operator as OperatorName, operand);
      parts.push(`${path} ${condition}`);
    }
  }
  return parts.join(' and ');
}

/** The values of a flag that mean `true`. */
const isTrue = (operand: unknown): boolean => [true, 'true', 1, '1'].includes(operand as string);

function conditionText(
  operator: OperatorName,
  operand: ClientValue | readonly ClientValue[],
): string {
  const word = printedOperator(operator);
  if (word === undefined) throw new RangeError('The filter has an operator that does not exist.');
  const values = (Array.isArray(operand) ? operand : [operand]) as readonly ClientValue[];
  const texts = values.map(printValue);
  if (operator === 'between') return `${word} ${texts.join(' and ')}`;
  if (operator === 'in' || operator === 'notIn') return `${word} (${texts.join(', ')})`;
  return `${word} ${texts.join(' ')}`;
}
