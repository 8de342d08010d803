/** The tree of a filter text, and its conditions with the groups and quantifiers around them, as parameters name them. */

import type { OperatorName } from '../declare/operators.ts';
import type { Quantifier } from '../declare/declaration.ts';
import type { FilterTextValue } from './values.ts';

/** One operand: a value, a list of values, or the flag of `isNull`. */
export type FilterTextOperand = FilterTextValue | readonly FilterTextValue[];

/** The part of a text that something is about, in UTF-16 code units; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** One condition. The span ends with its operator, and `valueEnd` with its value. */
export interface TextCondition extends TextSpan {
  readonly type: 'condition';
  readonly path: string;
  readonly operator: OperatorName;
  readonly operand: FilterTextOperand;
  readonly valueEnd: number;
  /** Whether the value was told from now. */
  readonly isRelative: boolean;
}

/** A part of the tree. `groups` is the number of `or` and `not` within each other in it. */
export type TextNode = TextSpan & { readonly groups: number } & (
    | TextCondition
    | { readonly type: 'and' | 'or'; readonly members: readonly TextNode[] }
    | { readonly type: 'not'; readonly member: TextNode }
    | {
        readonly type: 'rows';
        readonly path: string;
        readonly quantifier: `$${Quantifier}`;
        readonly member: TextNode;
      }
  );

/** A condition with the parts around it, such as `$or` and `0`. */
export interface PlacedCondition extends TextCondition {
  readonly within: readonly string[];
  /** How many groups stand around it. */
  readonly groups: number;
}

/**
 * A filter as `buildQuery` takes it: operands by path and operator, all of which hold, with groups (`$or`, `$and`, `$not`), and
 * quantifiers (`$some`, `$every`, `$none`) in place of operators.
 */
export interface TextFilter {
  readonly [name: string]: FilterTextOperand | TextFilter | readonly TextFilter[];
}

/** The members of a node that all have to hold. */
const conjunction = (node: TextNode): readonly TextNode[] =>
  node.type === 'and' ? node.members : [node];

/** The parameter of a member of a conjunction. */
const parameterOf = (member: TextNode): string =>
  member.type === 'condition'
    ? `${member.path} ${member.operator}`
    : member.type === 'rows'
      ? `${member.path} ${member.quantifier}`
      : member.type;

/**
 * The conditions of a tree in the order of the text. Of members with one parameter, all but the one with most groups stand in a
 * group of their own.
 */
export function placedConditions(tree: TextNode): PlacedCondition[] {
  const placed: PlacedCondition[] = [];
  const place = (node: TextNode, within: readonly string[], groups: number): void => {
    const members = conjunction(node);
    const deepest = new Map<string, TextNode>();
    for (const member of members) {
      const name = parameterOf(member);
      if (member.groups > (deepest.get(name)?.groups ?? -1)) deepest.set(name, member);
    }
    let repeated = 0;
    for (const member of members) {
      const { type } = member;
      if (deepest.get(parameterOf(member)) !== member) {
        place(member, [...within, '$and', String(repeated)], groups + 1);
        repeated += 1;
      } else if (type === 'condition') placed.push({ ...member, within, groups });
      else if (type === 'rows') {
        place(member.member, [...within, member.path, member.quantifier], groups);
      } else if (type === 'not') place(member.member, [...within, '$not'], groups + 1);
      else {
        for (const [at, each] of member.members.entries()) {
          place(each, [...within, '$or', String(at)], groups + 1);
        }
      }
    }
  };
  place(tree, [], 0);
  return placed;
}

/** The filter of placed conditions. Members of groups are numbered without gaps, so that they are lists. */
export function filterOf(placed: readonly PlacedCondition[]): TextFilter {
  const root: Branch = new Map();
  for (const { within, path, operator, operand } of placed) {
    let branch = root;
    for (const part of [...within, path]) {
      const known = branch.get(part) ?? new Map();
      branch.set(part, known);
      branch = known as Branch;
    }
    branch.set(operator, operand);
  }
  return objectOf(root) as TextFilter;
}

type Branch = Map<string, unknown>;

function objectOf(branch: Branch): unknown {
  const entries = [...branch].map(([name, value]) => [
    name,
    value instanceof Map ? objectOf(value as Branch) : value,
  ]);
  return branch.has('0') ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
