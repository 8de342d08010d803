/** Values at paths of what a client is shown, as JSON texts of bounded length: columns of lists, which a person chooses. */

import { cutText, isRecord } from '../../../lib/index.ts';

/** Names of members, from the outermost. */
export type ColumnPath = readonly string[];

/** Characters of a value. */
export const columnLength = 200;

/** A member of an object, or an element of an array by its place, counted from the end where that is negative. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^-?\d{1,9}$/.test(name) ? value.at(Number(name)) : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value as JSON text, without half a character at its end; null where there is none. */
export function columnText(shown: unknown, path: ColumnPath): string | null {
  const value = path.reduce(memberOf, shown);
  const text = value === null ? undefined : JSON.stringify(value);
  return text === undefined ? null : cutColumn(text);
}

export const cutColumn = (text: string): string => cutText(text, columnLength);
