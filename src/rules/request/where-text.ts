/** The parameter `where`: a filter as text, read into the filters that its parameters in brackets would be. */

import { QueryError } from '../../schema/index.ts';
import { describeRules } from '../client/describe-rules.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { operatorRow } from '../declare/operators.ts';
import { FilterTextFailure } from '../filter-text/filter-text-error.ts';
import { FilterTextParser } from '../filter-text/parser.ts';
import type { FilterTextOperand, TextSpan } from '../filter-text/placed-conditions.ts';
import { GroupCounter, quantifierOf } from './group-key.ts';
import type { ListRequest, RequestFilter } from './list-request.ts';
import { syntaxError, tooManyFilters } from './request-error.ts';
import { isPath } from './request-key.ts';

const descriptions = new WeakMap<CompiledQueryRules, ReturnType<typeof describeRules>>();

function descriptionOf(rules: CompiledQueryRules): ReturnType<typeof describeRules> {
  const found = descriptions.get(rules) ?? describeRules(rules);
  descriptions.set(rules, found);
  return found;
}

/**
 * Adds the filters of `where` to a request. Its groups, and how many filters there are, are checked here; paths, operators
 * and values with those of the other filters.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID, with the place in the text, when it does not follow the grammar
 */
export function readWhere(request: ListRequest, rules: CompiledQueryRules): void {
  const { where = '', filters, children = new Map<string, ListRequest>() } = request;
  const { maxQueryLength, maxFilters } = rules.limits;
  if (where.length > maxQueryLength) {
    throw syntaxError(`"where" is longer than ${maxQueryLength} characters.`, {
      param: 'where',
      maxQueryLength,
    });
  }
  request.written = filtersOf(where, rules);
  let count = filters.length + request.written.length;
  for (const child of children.values()) count += child.filters.length;
  if (count > maxFilters) throw tooManyFilters(maxFilters);
  const groups = new GroupCounter(rules);
  for (const { within } of [...filters, ...request.written]) {
    const refusal = within === undefined ? undefined : groups.refusal(within, true);
    if (refusal) throw refusal;
  }
}

function filtersOf(text: string, rules: CompiledQueryRules): RequestFilter[] {
  try {
    const conditions = conditionsOf(text, rules, new Date());
    const isRelative = conditions.some((each) => each.isRelative);
    // A cursor belongs to the text, whatever the time at which it is read.
    const fixed = isRelative ? conditionsOf(text, rules, new Date(0)) : [];
    return conditions.map(({ path, operator, operand, within, start, valueEnd }, index) => {
      const at = { start, end: valueEnd };
      const isForeign = path.includes('$') && rules.aggregates.size === 0;
      const names = within.filter((_, part) => quantifierOf(within[part + 1]));
      if (isForeign || !isPath(path, true) || !names.every((name) => isPath(name))) {
        throw placedAt(at, syntaxError('A path is a name, or names with dots between them.'));
      }
      return {
        path,
        operatorName: operator,
        operator: operatorRow(operator),
        value: textOf(operand),
        ...(within.length > 0 && { within }),
        at,
        ...(fixed[index]?.isRelative && { fixed: textOf(fixed[index].operand) }),
      };
    });
  } catch (error) {
    if (!(error instanceof FilterTextFailure)) throw error;
    const { message, start, end } = error.detail;
    throw placedAt({ start, end }, syntaxError(message));
  }
}

const conditionsOf = (text: string, rules: CompiledQueryRules, now: Date) =>
  new FilterTextParser(descriptionOf(rules), text, {
    now,
    utcOffset: 0,
    isUnchecked: true,
  }).parse();

/** The operand as the parameter of its operator has it. Values that are left to another check are texts. */
const textOf = (operand: FilterTextOperand): string | readonly string[] =>
  typeof operand === 'object' ? (operand as readonly string[]) : String(operand);

/** An error about a part of the text. */
function placedAt({ start, end }: TextSpan, error: QueryError): QueryError {
  const { code, message, details } = error;
  const where = message.replace('"filter"', '"where"');
  const placed = { ...details, param: 'where', start, end };
  return new QueryError<typeof code>(code, where, placed) as QueryError;
}

/** Runs the check of a filter of the text; its error names the place. */
export function checkedAt<T>(at: TextSpan, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof QueryError ? placedAt(at, error) : error;
  }
}
