/** Conditions on arrays: of PostgreSQL's own types, and in `jsonb` and `json`. GIN indexes serve all but those on `json`. */

import type { Dialect, ListOperand } from '../../compile/dialect.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';
import type { Slot, Sql } from '../../compile/sql-text.ts';
import { type ArrayOperand, hasAmong } from '../../compile/values/array-members.ts';

/** The document that has a value at a path, and nothing else. */
export const documentAt = (keys: readonly string[], value: string): string =>
  keys.reduceRight((inner, key) => `{"${key}":${inner}}`, value);

/** A value as JSON. */
export function jsonText({ kind }: PhysicalColumn, value: unknown): string {
  const isPlain = /^(?:integer|bigint|decimal|boolean)$/.test(kind);
  return isPlain ? String(value) : JSON.stringify(value);
}

/** An array with its instants as they are shown beside those that are stored; it has no other microseconds. */
const withShown = (array: Sql): Sql => [
  ['case when ', array, ' is not null then ', array, ' || array('],
  ["select date_trunc('milliseconds', item.v) from unnest(", array, ') as item(v)) end'],
];

/** Casts of an array of the database, and of the values that it is compared with. */
interface Casts {
  readonly own: string;
  readonly values: string;
}

export function hasMembers(
  dialect: Dialect,
  casts: Casts,
  array: ArrayOperand,
  list: ListOperand,
  isAll: boolean,
): Sql {
  const { stored, sql } = array;
  const { member } = array.column;
  const item = list.column;
  const values: Slot['read'] = (inputs) => list.read(inputs).map((value) => list.bind(value));
  const texts = (inputs: Parameters<Slot['read']>[0]) =>
    list.read(inputs).map((value) => jsonText(item, list.bind(value)));
  if (!member) {
    const isFiner = item.kind === 'datetime' && dialect.hasMicroseconds(item.sqlType);
    const own: Sql = isFiner ? withShown(sql) : [sql, casts.own];
    return ['(', own, isAll ? ') @> ' : ') && ', { read: values }, casts.values];
  }
  if (!/^jsonb$/i.test(member.of.sqlType)) {
    const value = dialect.jsonMember(item, { keys: [], of: member.of }, 'item.v');
    return hasAmong(
      dialect,
      { from: ['json_array_elements(', sql, ') as item(v)'], value },
      array,
      list,
      isAll,
    );
  }
  const { keys } = member;
  const all: Slot = { read: (inputs) => documentAt(keys, `[${texts(inputs).join()}]`) };
  const each: Slot = {
    read: (inputs) => texts(inputs).map((text) => documentAt(keys, `[${text}]`)),
  };
  return isAll ? [stored, ' @> ', all, '::jsonb'] : [stored, ' @> any(', each, '::jsonb[])'];
}

/** The number of members; null without an array. */
export function arrayLength({ column: { member }, sql }: ArrayOperand): Sql {
  if (!member) return ['cardinality(', sql, ')'];
  return [`${member.of.sqlType.toLowerCase()}_array_length(`, sql, ')'];
}

/** An array in a select list, as JSON: numbers that a double may not hold as text. */
export function selectedArray(expression: Sql, { kind, member }: PhysicalColumn): Sql {
  if (member) return [expression, '::text'];
  const isText = kind === 'bigint[]' || kind === 'decimal[]';
  return ['to_json(', expression, isText ? '::text[]' : '', ')::text'];
}
