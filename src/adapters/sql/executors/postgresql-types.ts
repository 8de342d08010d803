/** Parsers for PostgreSQL values: as text, except for types whose JSON form is not a string. */

import type { TypeParsers } from '../../../relational/index.ts';

/** Parsers of a query's columns, in the form that `pg` takes. */
export interface PgTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

const asText = (text: string): string => text;

type Parser = (text: string) => unknown;

/** Parses bytes as `bytea_output` writes them: `\x` and hexadecimal digits, or text with octal escapes. */
function bytes(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const unescaped = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, escaped: string) =>
    escaped === '\\' ? escaped : String.fromCharCode(Number.parseInt(escaped, 8)),
  );
  return Buffer.from(unescaped, 'latin1');
}

/** By type OID: boolean, bytea, int2, int4, json, jsonb. */
const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, (text) => text === 't'],
  [17, bytes],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
]);

/** The same parsers, `null` for values that are their texts. */
export const exactParser: TypeParsers = (type) => parsers.get(type) ?? null;

/** Each query has its own parsers, because a host can change the parsers of all connections. */
export const exactTypes: PgTypes = { getTypeParser: (type) => parsers.get(type) ?? asText };
