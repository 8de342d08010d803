/** `printFilterText`: the filter of a request as a person would write it. */

import type { ClientValue } from '../typed/rules-types.ts';
import { type OperatorName, operatorRow } from '../declare/operators.ts';
import type { PrintableFilter } from '../client/client-request.ts';
import type { RulesDescription } from '../client/describe-rules.ts';
import { emptiness, printedOperator } from './spellings.ts';
import { printValue } from './values.ts';

type Operand = ClientValue | readonly ClientValue[];

/** A part of the text, and the word that joins its own parts. */
interface Part {
  readonly text: string;
  readonly joint?: 'and' | 'or';
}

/**
 * Writes a filter as text; `parseFilterText` of the text returns a filter of the same meaning, with its values in canonical
 * form, and the same filter where it has no group that says nothing. Paths and operators are not checked against the description.
 *
 * @throws {RangeError} when a number is not finite, a `Date` is not valid, or an operator does not exist.
 */
export function printFilterText(description: RulesDescription, filter: PrintableFilter): string {
  return partOf(description, filter, '')?.text ?? '';
}

/** The text of parts; one within others of another joint stands in parentheses. */
function joined(joint: 'and' | 'or', parts: readonly (Part | undefined)[]): Part | undefined {
  const found = parts.filter((part) => part !== undefined);
  if (found.length < 2) return found[0];
  const texts = found.map((part) =>
    part.joint && part.joint !== joint ? `(${part.text})` : part.text,
  );
  return { text: texts.join(` ${joint} `), joint };
}

/** The part of a filter whose paths follow a prefix; `undefined` where it has no conditions. */
function partOf(
  description: RulesDescription,
  filter: PrintableFilter,
  prefix: string,
): Part | undefined {
  const inner = (each: unknown, within = prefix) =>
    partOf(description, each as PrintableFilter, within);
  const members = (joint: 'and' | 'or', each: unknown) =>
    joined(
      joint,
      (each as readonly unknown[]).map((member) => inner(member)),
    );
  const conditions = ([path, given]: [string, PrintableFilter[string]]): (Part | undefined)[] => {
    if (given === undefined) return [];
    if (path === '$or') return [members('or', given)];
    if (path === '$not') return [negated(inner(given))];
    const operands = typeof given === 'object' && !(given instanceof Date) ? given : { eq: given };
    return Object.entries(operands).map(([operator, operand]): Part | undefined => {
      if (operand === undefined) return undefined;
      if (!operator.startsWith('$')) {
        const described = description.filters.find((each) => each.path === prefix + path);
        const text =
          operator === 'isNull'
            ? `is ${isTrue(operand) ? '' : 'not '}${emptiness(described)}`
            : operator === 'isEmpty'
              ? `is ${isTrue(operand) ? '' : 'not '}empty`
              : conditionText(operator as OperatorName, operand as Operand);
        return { text: `${path} ${text}` };
      }
      const rows = inner(operand, `${prefix}${path}.`);
      return rows && { text: `${path}.${operator.slice(1)}(${rows.text})` };
    });
  };
  const { $and = [], ...others } = filter;
  // Reading puts a condition that the text repeats into such a group.
  return joined('and', [...Object.entries(others).flatMap(conditions), members('and', $and)]);
}

const negated = (part: Part | undefined): Part | undefined =>
  part && {
    text: part.joint || part.text.startsWith('not ') ? `not (${part.text})` : `not ${part.text}`,
  };

/** The values of a flag that mean `true`. */
const isTrue = (operand: unknown): boolean => [true, 'true', 1, '1'].includes(operand as string);

function conditionText(operator: OperatorName, operand: Operand): string {
  const word = printedOperator(operator);
  if (word === undefined) throw new RangeError('The filter has an operator that does not exist.');
  const values = (Array.isArray(operand) ? operand : [operand]) as readonly ClientValue[];
  const texts = values.map(printValue);
  if (operator === 'between') return `${word} ${texts.join(' and ')}`;
  if (operatorRow(operator).arity === 'list') return `${word} (${texts.join(', ')})`;
  return `${word} ${texts.join(' ')}`;
}
