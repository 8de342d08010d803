/** How values of PostgreSQL are read: as text but for the types whose JSON form is not a text. */

/** Parsers of a query's columns, in the form that `pg` takes. */
export interface PgTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

const asText = (text: string): string => text;

/** Bytes as `bytea_output` writes them: `\x` and hexadecimal digits, or text with octal escapes. */
function bytes(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const unescaped = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, escaped: string) =>
    escaped === '\\' ? escaped : String.fromCharCode(Number.parseInt(escaped, 8)),
  );
  return Buffer.from(unescaped, 'latin1');
}

/** By the number of the type: boolean, bytea, int2, int4, json, jsonb. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map([
  [16, (text: string): unknown => text === 't'],
  [17, bytes],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
]);

/** A query brings its own parsers, as a host can change those of all connections. */
export const exactTypes: PgTypes = { getTypeParser: (type) => parsers.get(type) ?? asText };
