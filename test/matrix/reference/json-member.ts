/** The value at a typed path of a json field, in the JSON form of its kind; null where it does not fit. */

import { type FieldDescriptor, kindRow } from '../../../src/schema/index.ts';
import type { Stored, StoredRow } from '../fixtures/model.ts';

/** A declared path as a field. */
export function memberField(json: FieldDescriptor, within: string): FieldDescriptor {
  const kind = json.paths?.[within];
  if (!kind) throw new TypeError(`${json.path} has no path ${within}.`);
  return { path: `${json.path}.${within}`, kind, nullable: true, primaryKey: false };
}

function fitting(kind: FieldDescriptor['kind'], value: unknown): Stored {
  const { items } = kindRow(kind);
  if (items) {
    return Array.isArray(value) ? value.map((member: unknown) => fitting(items, member)) : null;
  }
  const isWhole = Number.isInteger(value);
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'integer':
      return isWhole && Math.abs(Number(value) + 0.5) < 2 ** 31 ? Number(value) : null;
    case 'bigint':
      return isWhole && Math.abs(Number(value)) < 2 ** 63 ? String(value) : null;
    case 'decimal':
      return typeof value === 'number' ? String(value) : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : null;
    default:
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
        ? value
        : null;
  }
}

/** The value of a row at the path. */
export function memberValue(
  { path, kind }: FieldDescriptor,
  json: FieldDescriptor,
  row: StoredRow,
): Stored {
  let value: unknown = row[json.path];
  for (const key of path.slice(json.path.length + 1).split('.')) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    value =
      isObject && Object.hasOwn(value as object, key) ? Reflect.get(value as object, key) : null;
  }
  return fitting(kind, value);
}
