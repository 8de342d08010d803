/** The condition of a search on the data of jobs, which has no column. */

import type { JobCriteria } from '../model/search-criteria.ts';

/** A condition: texts of SQL, and values to bind. */
export type ConditionPart = string | { readonly value: unknown };

/** A pattern of `ilike` that matches the text itself. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** A pattern of `ilike` that matches texts with this part. */
const containing = (part: string): string => `%${literally(part)}%`;

/** The condition on the column `data`; empty without a path. */
export function dataCondition(criteria: JobCriteria): readonly ConditionPart[] {
  const { path, value, contains, range, ignoreCase } = criteria;
  if (!path) return [];
  const at: readonly ConditionPart[] = ['data #> ', { value: path }, '::text[]'];
  const text: readonly ConditionPart[] = ['data #>> ', { value: path }, '::text[]'];
  const isOf = (type: string): readonly ConditionPart[] => [
    ' and jsonb_typeof(',
    ...at,
    `) = '${type}'`,
  ];
  const condition: ConditionPart[] = [...at, ' is not null'];
  if (value !== undefined) {
    condition.push(' and coalesce(', ...text, ", 'null')");
    if (ignoreCase) condition.push(' ilike ', { value: literally(value) }, '::text');
    else condition.push(' = ', { value }, '::text');
  }
  if (contains !== undefined) {
    condition.push(...isOf('string'), ' and ');
    if (ignoreCase) condition.push(...text, ' ilike ', { value: containing(contains) }, '::text');
    else condition.push('position(', { value: contains }, '::text in ', ...text, ') > 0');
  }
  if (range) {
    const [kind, before, after] =
      range.of === 'number'
        ? (['numeric', '(', ')::numeric'] as const)
        : (['text', '(', ') collate "C"'] as const);
    condition.push(...isOf(range.of));
    for (const [bound, operator] of [
      [range.min, '>='],
      [range.max, '<='],
    ] as const) {
      if (bound === undefined) continue;
      // CASE keeps the server from casting what is not a number.
      condition.push(' and case when jsonb_typeof(', ...at, `) = '${range.of}' then `, before);
      condition.push(...text, after, ` ${operator} `, { value: bound }, `::${kind} end`);
    }
  }
  return condition;
}
