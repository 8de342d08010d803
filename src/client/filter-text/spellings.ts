/** How operators are written in a filter text. */

import type { OperatorName } from '../../rules/index.ts';
import type { DescribedFilter } from '../../rules/client/index.ts';

/** One way to write an operator. */
export interface Spelling {
  /** Words and symbols, in lower case. */
  readonly parts: readonly string[];
  readonly operator: OperatorName;
  /** The operand, where the spelling contains it. */
  readonly flag?: boolean;
}

const spelling = (text: string, operator: OperatorName, flag?: boolean): Spelling => ({
  parts: text.split(' '),
  operator,
  ...(flag !== undefined && { flag }),
});

/** The spelling that is printed comes first of each operator. */
const spellings: readonly Spelling[] = [
  spelling('=', 'eq'),
  spelling('==', 'eq'),
  spelling('!=', 'ne'),
  spelling('<>', 'ne'),
  spelling('>', 'gt'),
  spelling('>=', 'gte'),
  spelling('<', 'lt'),
  spelling('<=', 'lte'),
  spelling('in', 'in'),
  spelling('not in', 'notIn'),
  spelling('between', 'between'),
  spelling('~', 'ilike'),
  spelling('ilike', 'ilike'),
  spelling('contains', 'ilike'),
  spelling('!~', 'notIlike'),
  spelling('not ilike', 'notIlike'),
  spelling('not contains', 'notIlike'),
  spelling('like', 'like'),
  spelling('not like', 'notLike'),
  spelling('starts with', 'startsWith'),
  spelling('not starts with', 'notStartsWith'),
  spelling('istarts with', 'istartsWith'),
  spelling('not istarts with', 'notIstartsWith'),
  spelling('ends with', 'endsWith'),
  spelling('not ends with', 'notEndsWith'),
  spelling('is null', 'isNull', true),
  spelling('is not null', 'isNull', false),
  spelling('is empty', 'isNull', true),
  spelling('is not empty', 'isNull', false),
];

/** Where a path has no case-insensitive patterns, `~` means the exact ones. */
const exact: { readonly [Operator in OperatorName]?: OperatorName } = {
  ilike: 'like',
  notIlike: 'notLike',
  istartsWith: 'startsWith',
  notIstartsWith: 'notStartsWith',
};

/** The operator that a spelling means on a path; `undefined` where the path does not have it. */
export function operatorFor(
  { operators }: DescribedFilter,
  { operator }: Spelling,
): OperatorName | undefined {
  if (operators.includes(operator)) return operator;
  const instead = exact[operator];
  return instead && operators.includes(instead) ? instead : undefined;
}

/** The spellings whose first parts are these; of several that fit, the longest is meant. */
export const spellingsFrom = (parts: readonly string[]): Spelling[] =>
  spellings.filter((each) => parts.every((part, at) => each.parts[at] === part));

/** The texts of the operators of a path, as they are printed, each once. */
export function operatorTexts(filter: DescribedFilter): string[] {
  const printed = (wanted: Spelling): boolean =>
    wanted.operator === 'isNull'
      ? wanted.parts.includes(emptiness(filter))
      : spellings.find(({ operator }) => operator === wanted.operator) === wanted;
  return spellings
    .filter((each) => filter.operators.includes(each.operator) && printed(each))
    .map(({ parts }) => parts.join(' '));
}

/** A relation with many rows is empty, all else is null. */
export const emptiness = (filter: DescribedFilter | undefined): 'empty' | 'null' =>
  filter?.kind === null && filter.many ? 'empty' : 'null';

export const printedOperator = (operator: OperatorName): string | undefined =>
  spellings.find((each) => each.operator === operator)?.parts.join(' ');
