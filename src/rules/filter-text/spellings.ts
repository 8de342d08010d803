/** How operators are written in a filter text. */

import type { OperatorName } from '../declare/operators.ts';
import type { DescribedFilter } from '../client/describe-rules.ts';

/** One way to write an operator. */
export interface Spelling {
  /** Words and symbols, in lower case. */
  readonly parts: readonly string[];
  readonly operator: OperatorName;
  /** The operand, where the spelling contains it. */
  readonly flag?: boolean;
}

/** The spellings of each operator, separated by commas; the one that is printed comes first. */
const written: { readonly [Operator in OperatorName]?: string } = {
  eq: '=,==',
  ne: '!=,<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  in: 'in',
  notIn: 'not in',
  between: 'between',
  ilike: '~,ilike,contains',
  notIlike: '!~,not ilike,not contains',
  like: 'like',
  notLike: 'not like',
  startsWith: 'starts with',
  notStartsWith: 'not starts with',
  istartsWith: 'istarts with',
  notIstartsWith: 'not istarts with',
  endsWith: 'ends with',
  notEndsWith: 'not ends with',
  has: 'has',
  notHas: 'not has',
  hasAny: 'hasany',
  notHasAny: 'not hasany',
  hasAll: 'hasall',
  notHasAll: 'not hasall',
};

const flags = (operator: OperatorName, word: string): readonly Spelling[] => [
  { parts: ['is', word], operator, flag: true },
  { parts: ['is', 'not', word], operator, flag: false },
];

const spellings: readonly Spelling[] = [
  ...Object.entries(written).flatMap(([operator, texts]) =>
    texts.split(',').map((text) => ({
      parts: text.split(' '),
      operator: operator as OperatorName,
    })),
  ),
  ...flags('isNull', 'null'),
  ...flags('isEmpty', 'empty'),
  ...flags('isNull', 'empty'),
];

/** Where a path has no case-insensitive patterns, `~` means the exact ones; all but arrays are null where they are empty. */
const exact: { readonly [Operator in OperatorName]?: OperatorName } = {
  ilike: 'like',
  notIlike: 'notLike',
  istartsWith: 'startsWith',
  notIstartsWith: 'notStartsWith',
  isEmpty: 'isNull',
};

/** The operator that a spelling means on a path; `undefined` where the path does not have it. */
export function operatorFor(
  { operators }: DescribedFilter,
  operator: OperatorName,
): OperatorName | undefined {
  if (operators.includes(operator)) return operator;
  const instead = exact[operator];
  return instead && operators.includes(instead) ? instead : undefined;
}

/** The spellings whose first parts are these; of several that fit, the longest is meant. */
export const spellingsFrom = (parts: readonly string[]): Spelling[] =>
  spellings.filter((each) => parts.every((part, at) => each.parts[at] === part));

/** Whether the words begin with an operator. */
export const beginsOperator = (words: readonly string[]): boolean =>
  spellings.some(({ parts }) => parts.every((part, at) => part === words[at]));

/** The texts of the operators of a path, as they are printed, each once. */
export function operatorTexts(filter: DescribedFilter): string[] {
  const printed = (wanted: Spelling): boolean =>
    wanted.operator === 'isNull'
      ? wanted.parts.includes(emptiness(filter))
      : wanted.flag !== undefined ||
        spellings.find(({ operator }) => operator === wanted.operator) === wanted;
  return spellings
    .filter((each) => filter.operators.includes(each.operator) && printed(each))
    .map(({ parts }) => parts.join(' '));
}

/** A relation with many rows is empty, all else is null. */
export const emptiness = (filter: DescribedFilter | undefined): 'empty' | 'null' =>
  filter?.kind === null && filter.many ? 'empty' : 'null';

export const printedOperator = (operator: OperatorName): string | undefined =>
  spellings.find((each) => each.operator === operator)?.parts.join(' ');
