/** The texts of PostgreSQL's protocol for values, for drivers that would convert values in ways of their own. */

import { arrayText } from '../../../relational/index.ts';
import { exactTypes } from './postgresql.ts';

/** A value of a statement as text. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayText(value.map(valueText)) : String(value);
}

/** The parser of a type by its number: the one that makes values exact, whatever the host has set. */
export const parserOf = (type: number): ((text: string) => unknown) =>
  exactTypes.getTypeParser(type);
