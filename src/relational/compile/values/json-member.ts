/** A value at a declared path of a json column, as a column of its own. */

import {
  type FieldKind,
  configurationError,
  fieldNamed,
  jsonMember,
} from '../../../schema/index.ts';
import type { PlanValue, Rounding } from '../../../rules/index.ts';
import type { ModelContext } from '../model-context.ts';
import type { JsonMember, PhysicalColumn } from '../physical.ts';

/** A type that the operands of a kind are compared as. */
const types: Readonly<Partial<Record<FieldKind, string>>> = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
};

/** The member as a column; `undefined` where the path is not a declared path of a json column. */
export function memberColumn(model: ModelContext, path: string): PhysicalColumn | undefined {
  const field = jsonMember(model.schema, path);
  const [head = '', ...keys] = path.split('.');
  const of = model.physical.columns.get(head);
  if (!field || !of || !fieldNamed(model.schema, head)) return undefined;
  if (of.codec) {
    throw configurationError(
      `${model.schema.model}.${head}: the column has a transformer, so its paths cannot be read; remove "paths".`,
      { model: model.schema.model, path: head },
    );
  }
  return jsonColumn({ ...of, path }, field.kind, { keys, of });
}

/** A value in a json column, or the members of an array there, as a column of a kind. */
export function jsonColumn(
  { path, name, numbersAsText }: PhysicalColumn,
  kind: FieldKind,
  member: JsonMember,
): PhysicalColumn {
  const storage = kind === 'datetime' ? 'iso-text' : 'native';
  return { path, name, kind, storage, sqlType: types[kind] ?? 'text', numbersAsText, member };
}

/**
 * An instant as the millisecond text that JSON holds; an instant between two milliseconds is rounded, and where it is
 * never equal, its text has more digits than any stored one.
 */
export function isoText(value: PlanValue, rounding: Rounding): string {
  const text = String(value);
  if (text.length === 24 || rounding === 'never') return text;
  const floor = `${text.slice(0, 23)}Z`;
  if (rounding === 'down') return floor;
  // The year 10000 is written with a sign, which sorts before every digit; a colon sorts after them.
  return new Date(Date.parse(floor) + 1).toISOString().replace(/^\+01/, ':');
}

/** The range of a whole number of a kind. */
export const wholeRanges: Readonly<Partial<Record<FieldKind, readonly [string, string]>>> = {
  integer: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
};

/** The forms of dates and instants in JSON, in the pattern language of `GLOB` without the class of digits. */
export const textForms: Readonly<Partial<Record<FieldKind, string>>> = {
  date: 'dddd-dd-dd',
  datetime: 'dddd-dd-ddTdd:dd:dd.dddZ',
};

/** Whether a text has the form of a kind, such as `2024-13-45`, which is a date of no calendar. */
export function hasTextForm(kind: FieldKind, text: string): boolean {
  const form = formExpression(kind);
  return form !== undefined && new RegExp(form).test(text);
}

/** A regular expression for the text form of a kind, in the syntax that PostgreSQL and MySQL share. */
export function formExpression(kind: FieldKind): string | undefined {
  return textForms[kind]?.replaceAll('.', '[.]').replaceAll('d', '[0-9]').replace(/^.*$/, '^$&$');
}
