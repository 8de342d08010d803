/** The plan of one row: its key as conditions on the primary key, with the fields and includes of the request. */

import { isRecord } from '../../lib/index.ts';
import { QueryError, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { operatorRow } from '../declare/operators.ts';
import { pathTarget } from '../declare/path-target.ts';
import type { ListRequestInput } from '../request/list-request.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { CountPolicy, PageWindow, ResolvedCondition, ResolvedPlan } from './plan.ts';
import { authorise, conjunction } from './plan-query.ts';
import { resolvedCondition } from './resolved.ts';
import { withChildren } from '../children/resolve-children.ts';
import { planScopes } from './scopes.ts';

/** The value of a key part. A text is read like the value of a filter. */
export type KeyValue = string | number | bigint | boolean | Date;

/** The primary key of a row: its value, or an object with the value of each part. */
export type ItemKey = KeyValue | { readonly [part: string]: KeyValue };

const page = Object.freeze<PageWindow>({ mode: 'offset', page: 1, perPage: 1, offset: 0 });
const count = Object.freeze<CountPolicy>({ type: 'none' });

/** The error of a key without a row. It is the same for a row that the request may not see. */
export function rowNotFound({ model }: CompiledQueryRules): QueryError<'ROW_NOT_FOUND'> {
  return new QueryError('ROW_NOT_FOUND', 'There is no row with this key.', { model });
}

/**
 * The plan of one row, of rules that have been checked.
 *
 * @throws {QueryError} as `planQuery`; ROW_NOT_FOUND when a value of the key does not fit its kind, so that no row has it
 */
export function planOfItem(
  key: unknown,
  request: ListRequestInput,
  rules: CompiledQueryRules,
  scope: unknown,
): ResolvedPlan {
  const scopes = planScopes(rules, scope);
  const { order, projection, children } = authorise(parseRequest(request, rules, 'item'), rules);
  const where = conjunction(keyConditions(rules, key));
  return Object.freeze<ResolvedPlan>({
    model: rules.model,
    projection: withChildren(projection, children),
    where,
    order,
    page,
    count,
    ...(scopes && { scopes }),
  });
}

function keyConditions(rules: CompiledQueryRules, key: unknown): ResolvedCondition[] {
  const { model, schema } = rules;
  const parts = schema.primaryKey;
  const values = isRecord(key) && !(key instanceof Date) ? key : null;
  const named = values ? Object.keys(values) : parts.slice(0, 1);
  if (named.length !== parts.length || !parts.every((part) => named.includes(part))) {
    throw keyForm(model, parts);
  }
  return parts.map((part) => {
    const value = values ? values[part] : key;
    if (value === undefined) throw keyForm(model, parts);
    const found = pathTarget(rules, part);
    const text = textOf(value);
    const canonical = text === undefined ? undefined : found?.coerce(text);
    if (!found || canonical === undefined) throw rowNotFound(rules);
    return resolvedCondition(found.target, operatorRow('eq'), canonical);
  });
}

function keyForm(model: string, parts: readonly string[]) {
  const form = `an object with the parts ${parts.join(', ')}`;
  return configurationError(
    `"key" of ${model} must be ${parts.length === 1 ? `the value of ${parts[0]}, or ${form}` : form}`,
    { model, option: 'key' },
  );
}

/** The text of a value; `undefined` for one that is not a value of a key, which a parsed body may hold. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  const isPlain =
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return isPlain ? String(value) : undefined;
}
