/**
 * Texts of positions for stored values of another storage class than that of their column's kind, as a database without
 * strict types holds them: NUL, which no value of a request contains, the class, and the value.
 */

import type { PlanValue } from '../../../rules/index.ts';

/** `t` text, `i` a whole number of 64 bits, `r` any other number, `b` bytes as hexadecimal digits. */
export type OtherClass = 't' | 'i' | 'r' | 'b';

const form = /^\0([tirb])/;

/** The text of a value of a class. */
export const otherText = (of: OtherClass, text: string): string => `\0${of}${text}`;

/** The class and the text of such a value; `undefined` for all other values. */
export function otherClass(
  value: PlanValue,
): { readonly of: OtherClass; readonly text: string } | undefined {
  const found = typeof value === 'string' ? form.exec(value) : null;
  return found ? { of: found[1] as OtherClass, text: String(value).slice(2) } : undefined;
}

/**
 * How a value of a position is bound: `kind` as its column's kind is, `whole` as a whole number of 64 bits whose text it
 * is, `number` as any other number, `own` in its own class.
 */
export type PositionForm = 'kind' | 'whole' | 'number' | 'own';

const forms: Readonly<Record<OtherClass, PositionForm>> = {
  t: 'own',
  i: 'whole',
  r: 'number',
  b: 'own',
};

/** The form of a value of a position, which is part of the statement's shape. */
export function positionForm(value: PlanValue): PositionForm {
  const of = otherClass(value)?.of;
  return of ? forms[of] : 'kind';
}
