/**
 * Filters by whole days on instants, where a rule has `wholeDays`. A day is the time from its first to its last moment in
 * UTC.
 */

import type { CompiledFilter } from '../declare/compiled.ts';
import type { QueryLimits } from '../declare/declaration.ts';
import { type OperatorName, type OperatorRow, operatorRow } from '../declare/operators.ts';
import { valueInvalid } from '../request/request-error.ts';
import type { ResolvedPredicate } from './plan.ts';

const dayText = /^\d{4}-\d{2}-\d{2}$/;
const msPerDay = 86_400_000;

const isDay = (text: string): boolean => dayText.test(text);
const first = (text: string): string => (isDay(text) ? `${text}T00:00:00.000Z` : text);
/** No family stores an instant between this one and the next day. */
const last = (text: string): string => (isDay(text) ? `${text}T23:59:59.999999Z` : text);

/** The day that is this many days later. */
const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10);

/** Makes the condition of an operator with the texts of instants. */
type Condition = (operator: OperatorRow, value: string | readonly string[]) => ResolvedPredicate;

/**
 * The predicate of a filter whose value names days; `undefined` where it names none.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID when a day is not in the calendar, or a list has days and instants, or too
 * many days that do not follow each other
 */
export function dayPredicate(
  { target, coerce, whole }: CompiledFilter,
  row: OperatorRow,
  value: string | readonly string[] | null,
  { maxFilters, maxListLength }: QueryLimits,
  condition: Condition,
): ResolvedPredicate | undefined {
  const { name } = row;
  const path = whole ?? target.path;
  const texts = typeof value === 'string' ? [value] : (value ?? []);
  if (row.comparison === 'null' || !texts.some(isDay)) return undefined;
  if (texts.some((text) => coerce(first(text)) === undefined)) return undefined;
  const [low = '', high = ''] = texts;
  const as = (operator: OperatorName, ...bounds: string[]) =>
    condition(operatorRow(operator), operator === 'between' ? bounds : (bounds[0] ?? ''));
  // An operator that rounds down compares with the end of the day.
  if (row.comparison === 'order') return as(name, row.rounds === 'down' ? last(low) : first(low));
  if (row.comparison === 'range') {
    return texts.length === 2 ? as('between', first(low), last(high)) : undefined;
  }
  if (texts.length > maxListLength) return undefined;
  if (!texts.every(isDay)) {
    throw valueInvalid(path, name, 'a list of whole days, or a list of instants');
  }
  const runs = runsOf(texts);
  if (runs.length > maxFilters) {
    throw valueInvalid(path, name, `at most ${maxFilters} runs of whole days`);
  }
  const within = ([from, to]: Days) => as('between', first(from), last(to));
  const isNegated = name === 'ne' || name === 'notIn';
  const predicates = isNegated
    ? [
        as('lt', first(runs[0]?.[0] ?? '')),
        ...gapsBetween(runs).map(within),
        as('gt', last(runs.at(-1)?.[1] ?? '')),
      ]
    : runs.map(within);
  const [only] = predicates;
  return predicates.length === 1
    ? only
    : Object.freeze({ type: 'or', predicates: Object.freeze(predicates) });
}

/** The first and the last of days that follow each other. */
type Days = readonly [from: string, to: string];

/** Days that follow each other as one run, in order. */
function runsOf(days: readonly string[]): Days[] {
  const runs: Days[] = [];
  for (const day of [...new Set(days)].sort()) {
    const run = runs.at(-1);
    if (run && later(run[1], 1) === day) runs[runs.length - 1] = [run[0], day];
    else runs.push([day, day]);
  }
  return runs;
}

const gapsBetween = (runs: readonly Days[]): Days[] =>
  runs.slice(1).map(([from], at) => [later(runs[at]?.[1] ?? '', 1), later(from, -1)]);
