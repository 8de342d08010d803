/** Reads a filter of jobs as text into conditions of which none is negated, so that null needs no rules of its own. */

import { type OperatorName, type PlanValue, operatorRow } from '../../rules/index.ts';
import { parseFilterText, printFilterText } from '../../rules/client/index.ts';
import type { FilterTextError, FilterTextValue, TextFilter } from '../../rules/client/index.ts';
import type { ConditionPredicate } from '../../rules/index.ts';
import { type FilterEngine, languageOf } from './language.ts';
import { inParts } from './values-in-json.ts';

/** Conditions that all hold, or of which one does. */
export type JobFilter =
  | ConditionPredicate
  | { readonly type: 'and' | 'or'; readonly predicates: readonly JobFilter[] };

/** A filter, or the error of the text and its place. */
export type ReadJobFilter =
  | { readonly filter: JobFilter; readonly paths: ReadonlySet<string>; readonly error: null }
  | { readonly filter: null; readonly error: FilterTextError };

const condition = (
  path: string,
  operator: OperatorName,
  value: ConditionPredicate['value'],
): ConditionPredicate => ({ type: 'condition', path, operator, value });

const all = (predicates: readonly JobFilter[]): JobFilter => ({ type: 'and', predicates });
const any = (predicates: readonly JobFilter[]): JobFilter => ({ type: 'or', predicates });

/** The jobs for which a filter is false; those for which null makes it unknown are in neither. */
function negated(filter: JobFilter): JobFilter {
  if (filter.type !== 'condition') {
    const members = filter.predicates.map(negated);
    return filter.type === 'and' ? any(members) : all(members);
  }
  const { path, operator, value } = filter;
  const row = operatorRow(operator);
  if ('opposite' in row) return condition(path, row.opposite, value);
  if (row.comparison === 'null') return condition(path, operator, value !== true);
  const [low, high] = value as readonly [PlanValue, PlanValue];
  return any([condition(path, 'lt', low), condition(path, 'gt', high)]);
}

function treeOf(filter: TextFilter): JobFilter {
  const lists = (given: unknown): JobFilter[] => (given as readonly TextFilter[]).map(treeOf);
  const members = Object.entries(filter).flatMap(([name, given]): JobFilter[] => {
    if (name === '$and') return lists(given);
    if (name === '$or') return [any(lists(given))];
    if (name === '$not') return [negated(treeOf(given as TextFilter))];
    return Object.entries(given).map(([operator, value]) => {
      if (!Array.isArray(value) || value.length > 0) {
        return condition(name, operator as OperatorName, value as FilterTextValue);
      }
      return operator === 'in' ? any([]) : all([]);
    });
  });
  return members.length === 1 && members[0] ? members[0] : all(members);
}

function pathsIn(filter: JobFilter, found = new Set<string>()): ReadonlySet<string> {
  if (filter.type === 'condition') return found.add(filter.path);
  for (const each of filter.predicates) pathsIn(each, found);
  return found;
}

/** Reads a text; times are told from `now`, and days and hours at an offset in minutes to the east of UTC. */
export function readJobFilter(
  engine: FilterEngine,
  text: string,
  now = new Date(),
  utcOffset = 0,
): ReadJobFilter {
  const read = parseFilterText(languageOf(engine, text), text, now, utcOffset);
  if (read.error) return { filter: null, error: read.error };
  const tree = treeOf(read.filter);
  return { filter: inParts(tree), paths: pathsIn(tree), error: null };
}

/** The text with instants in place of times that are told from now; undefined where it has an error. */
export function fixedText(
  engine: FilterEngine,
  text: string,
  now = new Date(),
  utcOffset = 0,
): string | undefined {
  const language = languageOf(engine, text);
  const { filter } = parseFilterText(language, text, now, utcOffset);
  return filter ? printFilterText(language, filter) : undefined;
}
