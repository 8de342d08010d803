/**
 * The groups and quantifiers around a filter, as its parameter names them: `$or` and `0` of `filter[$or][0][age][gte]`,
 * `posts` and `$some` of `filter[posts][$some][title]`.
 */

import type { GroupsRule, Quantifier } from '../declare/declaration.ts';
import type { QueryError } from '../../schema/index.ts';
import { syntaxError, wrongForm } from './request-error.ts';

/** Groups whose members are numbered. */
const numbered: ReadonlySet<string> = new Set(['$or', '$and']);

const quantifiers: ReadonlyMap<string, Quantifier> = new Map([
  ['$some', 'some'],
  ['$every', 'every'],
  ['$none', 'none'],
]);

/** The quantifier of a part of a name; `undefined` for other parts. */
export const quantifierOf = (part: string | undefined): Quantifier | undefined =>
  quantifiers.get(part ?? '');

/** Whether the name is that of a group with numbered members. */
export const isNumbered = (part: string): boolean => numbered.has(part);

/** Largest number of parts of a name: eight groups with numbers, and some quantifiers. */
export const maxParts = 32;

/** How many of the first parts of a filter's name are groups and quantifiers. */
export function partsOfGroups(
  parts: readonly string[],
  isIndex: (text: string) => boolean,
  isPath: (text: string) => boolean,
): number {
  let at = 0;
  while (at < parts.length) {
    const [part = '', next = ''] = [parts[at], parts[at + 1]];
    if (part === '$not') at += 1;
    else if (isNumbered(part) ? isIndex(next) : quantifiers.has(next) && isPath(part)) at += 2;
    else break;
  }
  return at;
}

/** The groups and quantifiers that an endpoint allows around filters, and its values over relations. */
export interface Nesting {
  readonly groups: GroupsRule | null;
  readonly quantifiers: { readonly size: number };
  readonly aggregates: { readonly size: number };
  /** Whether filters may also come as one text. */
  readonly where?: boolean;
}

/** Counts the groups around the filters of one request. */
export class GroupCounter {
  readonly #nesting: Nesting;
  #terms = 0;

  constructor(nesting: Nesting) {
    this.#nesting = nesting;
  }

  /** The reason why the groups around a filter are refused; `undefined` where they are not. */
  refusal(within: readonly string[], isNew: boolean): QueryError | undefined {
    const { groups, quantifiers } = this.#nesting;
    const count = within.filter((part) => part === '$not' || isNumbered(part)).length;
    if (count === 0 && quantifiers.size > 0) return undefined;
    if (!groups) return wrongForm('filter');
    const { depth: maxDepth, terms: maxTerms } = groups;
    if (count > maxDepth) {
      return syntaxError(`The request has more than ${maxDepth} groups within each other.`, {
        param: 'filter',
        maxDepth,
      });
    }
    if (isNew) this.#terms += 1;
    if (this.#terms <= maxTerms) return undefined;
    return syntaxError(`The request has more than ${maxTerms} filters in groups.`, {
      param: 'filter',
      maxTerms,
    });
  }
}
