/** How the objects of a statement are written as JSON from its rows; made once per statement and connection. */

import type { FieldReader, NodeReader } from '../../../read/reader.ts';
import type { ParseText } from './data-row.ts';
import { parseBoolean } from './simplest-parser.ts';

/**
 * How a value is written: as the digits or the text that the server sent, as an instant in UTC, as `true` or `false`, or by
 * its parser and presenter. Every other way goes back to the last one for values that are not of the usual form.
 */
export const way = {
  digits: 0,
  text: 1,
  lowerText: 2,
  instant: 3,
  boolean: 4,
  presented: 5,
} as const;

/** A field of an object. */
export interface JsonField {
  /** The name with its quotes and colon, behind the brace or comma. */
  readonly key: Uint8Array;
  readonly index: number;
  readonly way: number;
  readonly parse: ParseText;
  readonly present: FieldReader['present'];
}

/** An object in a row: its fields, and then the objects of included relations. */
export interface JsonProgram {
  readonly fields: readonly JsonField[];
  readonly relations: readonly {
    readonly key: Uint8Array;
    /** The column that is null where there is no object. */
    readonly marker: number;
    readonly program: JsonProgram;
  }[];
}

/** The most columns of a row that is written. */
export const mostColumns = 256;

/** Names that an object keeps in the order in which they are written, in ASCII. */
const isUsual = (name: string): boolean =>
  /^[\u0020-\u007e]*$/.test(name) && name !== '__proto__' && !/^\d+$/.test(name);

function wayOf({ kind }: FieldReader, parse: ParseText): number {
  if (parse === Number) return kind === 'integer' || kind === 'float' ? way.digits : way.presented;
  if (parse === parseBoolean) return kind === 'boolean' ? way.boolean : way.presented;
  if (parse !== null) return way.presented;
  if (kind === 'string' || kind === 'enum' || kind === 'bigint') return way.text;
  if (kind === 'uuid') return way.lowerText;
  return kind === 'datetime' ? way.instant : way.presented;
}

/**
 * The program of a node; `undefined` where its objects must be made: values that the host's own code converts, lists of
 * rows, and unusual names.
 */
export function jsonProgram(
  { fields, relations }: NodeReader,
  parsers: readonly ParseText[],
): JsonProgram | undefined {
  const names = [...fields, ...relations].map(({ name }) => name);
  if (parsers.length > mostColumns || !names.every(isUsual)) return undefined;
  if (new Set(names).size < names.length || names.length === 0) return undefined;
  const encoder = new TextEncoder();
  const keys = names.map((name, at) =>
    encoder.encode(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
  );
  const written: JsonField[] = [];
  for (const [at, field] of fields.entries()) {
    if (field.kind === null) return undefined;
    const { index, present } = field;
    const parse = parsers[index] ?? null;
    const key = keys[at] as Uint8Array;
    written.push({ key, index, way: wayOf(field, parse), parse, present });
  }
  const nested: JsonProgram['relations'][number][] = [];
  for (const [at, relation] of relations.entries()) {
    if (relation.cardinality === 'many') return undefined;
    const program = jsonProgram(relation.node, parsers);
    if (!program) return undefined;
    const key = keys[fields.length + at] as Uint8Array;
    nested.push({ key, marker: relation.marker, program });
  }
  return { fields: written, relations: nested };
}
