/** Filters of jobs as text: the fields of a search that they name, and their conditions in a plan. */

import type { ConditionPredicate, Predicate } from '../../../rules/index.ts';
import { type ComputedFields, isJsonPath } from '../../../schema/index.ts';
import { type JobFilter, changed, hidden, partOf } from '../../filters/index.ts';

/** When a job ended in a state; null in others. */
const endedAs = (state: string) =>
  ({
    kind: 'datetime',
    sql: `case when {state} = '${state}' then {completedOn} end`,
    ...hidden,
  }) as const;

/** Fields of a job that are worked out. */
export const jobFields: ComputedFields[string] = {
  attempts: {
    kind: 'integer',
    sql: `{retryCount} + case when {state} = 'created' then 0 else 1 end`,
    ...hidden,
  },
  duration: {
    kind: 'bigint',
    sql: `case when isfinite({startedOn}) and isfinite({completedOn})
      then round(extract(epoch from {completedOn}) * 1000) - round(extract(epoch from {startedOn}) * 1000) end`,
    ...hidden,
  },
  failed: endedAs('failed'),
  completed: endedAs('completed'),
  // The message that a list shows; the result of a job that has completed is not one.
  jsonError: {
    kind: 'string',
    sql: `case when {state} <> 'completed' then
      coalesce(jsonb_extract_path_text({output}, 'message'), jsonb_extract_path_text({output}, 'value', 'message'),
        case when jsonb_typeof(jsonb_extract_path({output}, 'value')) = 'string' then jsonb_extract_path_text({output}, 'value') end) end`,
    ...hidden,
  },
};

/** Fields of the rules by the names of texts, where these differ. */
const names: Readonly<Record<string, string>> = {
  added: 'createdOn',
  processed: 'startedOn',
  started: 'startedOn',
  finished: 'completedOn',
  key: 'singletonKey',
  group: 'groupId',
  retries: 'retryCount',
  error: 'jsonError',
};

/** Names of the JSON columns with typed paths, whose equal values an index finds. */
export const typedName = { text: 'Texts', number: 'Numbers' } as const;

/** Whether the path can be a typed one. */
export const isTyped = (path: string): boolean => isJsonPath(path.slice(path.indexOf('.') + 1));

/** Whether the field of a condition is read from JSON. */
export const isInJson = (path: string): boolean => path.startsWith('json') || path.includes('.');

/** The conditions of a filter on the fields of the rules; `nameOf` tells those of values in JSON. */
export function predicateOf(
  filter: JobFilter,
  nameOf: (path: string) => string | undefined,
): Predicate {
  return changed(filter, (condition): ConditionPredicate => {
    const { path, operator, value } = condition;
    const part = partOf(path);
    const isServed = operator === 'eq' && !['true', 'false'].includes(String(value));
    if (part && isServed && isTyped(part.path)) {
      const [column = '', ...members] = part.path.split('.');
      return { ...condition, path: [column + typedName[part.as], ...members].join('.') };
    }
    return { ...condition, path: nameOf(path) ?? names[path] ?? path };
  });
}
