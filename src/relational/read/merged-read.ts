/** Decides whether a keyset page is merged from parts, and which: see `pagination.mergeBy`. */

import {
  type CompiledQueryRules,
  type PlanValue,
  type ResolvedCondition,
  type ResolvedPath,
  type ResolvedPlan,
  aggregateOf,
  resolvePredicate,
} from '../../rules/index.ts';
import type { FieldDescriptor } from '../../schema/index.ts';
import type { MergedParts } from '../compile/page/merged-table.ts';
import { requiredConditions } from '../compile/asked-conditions.ts';
import { type LoweringContext, columnOf, modelOf } from '../compile/model-context.ts';

/** Largest number of parts; beyond it, reading the first rows of every part costs more than it saves. */
const maxParts = 50;

const isOn =
  (field: FieldDescriptor) =>
  ({ target }: ResolvedCondition): boolean =>
    target.hops.length === 0 && target.field === field;

const listOf = ({ value }: ResolvedCondition): readonly PlanValue[] =>
  Array.isArray(value) ? (value as readonly PlanValue[]) : [value as PlanValue];

/** Whether a row with the value may meet the condition. */
function admits(condition: ResolvedCondition, value: PlanValue): boolean {
  const { row } = condition;
  if (row.comparison !== 'equality' && row.comparison !== 'membership') return true;
  return listOf(condition).includes(value) !== row.negated;
}

/** The values that the conditions allow; `undefined` where they are not known. */
function valuesOf(
  field: FieldDescriptor,
  conditions: readonly ResolvedCondition[],
): readonly PlanValue[] | undefined {
  const listed = conditions.find(({ row }) => row.comparison === 'membership' && !row.negated);
  // Rows without a value are in no part.
  const every = field.nullable ? undefined : field.enumValues;
  const values = listed ? listOf(listed) : every;
  return (
    values && [...new Set(values)].filter((value) => conditions.every((one) => admits(one, value)))
  );
}

/** The condition of a part, by rules. */
const templates = new WeakMap<CompiledQueryRules, ResolvedCondition>();

function templateOf(
  rules: CompiledQueryRules,
  path: string,
  value: PlanValue,
): ResolvedCondition | undefined {
  const known = templates.get(rules);
  if (known) return known;
  const made = resolvePredicate(rules, { type: 'condition', path, operator: 'eq', value });
  if (made.type !== 'condition') return undefined;
  templates.set(rules, made);
  return made;
}

/** The parts of the page; `null` where it is read as a whole. */
export function mergedParts(
  plan: ResolvedPlan,
  rules: CompiledQueryRules,
  context: LoweringContext,
): MergedParts | null {
  const { mergeBy: field } = rules.pagination;
  if (!field || plan.page.mode !== 'keyset') return null;
  // The host may store two values alike, whose parts would have the same rows.
  const { codec } = columnOf(modelOf(context, plan.model), field.path);
  if (codec && !codec.exact) return null;
  // Rows of a part are in the order of their own columns.
  const isOwn = ({ hops, field: by }: ResolvedPath) => hops.length === 0 && !aggregateOf(by);
  if (!plan.order.every(({ target }) => isOwn(target))) return null;
  const all = requiredConditions(plan.where);
  const [key = ''] = rules.schema.primaryKey;
  // The index of the key finds a few rows.
  const isByKey = all.some(
    ({ path, row }) => path === key && row.comparison === 'equality' && !row.negated,
  );
  if (isByKey) return null;
  const values = valuesOf(field, all.filter(isOn(field)));
  const [first] = values ?? [];
  if (!values || first === undefined || values.length < 2 || values.length > maxParts) return null;
  const condition = templateOf(rules, field.path, first);
  return condition ? { condition, values } : null;
}
