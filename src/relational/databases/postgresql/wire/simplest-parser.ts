/**
 * Replaces parsers of drivers and ORMs by simpler ones that do the same. They are known by their source, which refers to
 * nothing but their argument; a parser of the host that looks otherwise stays as it is.
 */

import type { ParseText } from './data-row.ts';

/** Gives the parser of a type by its OID. */
export type TypeParsers = (oid: number) => ParseText;

/** Parses a boolean. */
export const parseBoolean = (text: string): boolean => text === 't';

/** OIDs of boolean, int2, int4. */
const [bool, int2, int4] = [16, 21, 23];

/** `(text) => text` and `String(text)`. */
const identity =
  /^(?:function ?\w*\((\w+)\)\{return (?:String\(\1\)|\1);?\}|\(?(\w+)\)?=>(?:String\(\2\)|\2))$/;
const integer =
  /^(?:function ?\w*\((\w+)\)\{return parseInt\(\1,10\);?\}|\(?(\w+)\)?=>parseInt\(\2,10\))$/;
/** Compares with the texts that mean true, among them the one that the server sends. */
const boolean =
  /^function ?\w*\((\w+)\)\{if\(\1===null\)return \1[; ]return (?:\1==='\w+'\|\|)*\1==='t'(?:\|\|\1==='(?!f')\w+')*;?\}$/;

/** The source of a function without the spaces that formatting adds. */
const sourceOf = (parse: object): string =>
  String(parse)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([^\w ]) ?/g, '$1');

/** The sources of parsers. */
const sources = new WeakMap<object, string>();

/**
 * The parser itself, or one that does the same for a type: `null` where texts stay as they are, `Number` for whole
 * numbers, and `parseBoolean`.
 */
export function simplestParser(parse: ParseText, oid: number): ParseText {
  if (!parse) return parse;
  let source = sources.get(parse);
  if (source === undefined) {
    source = sourceOf(parse);
    sources.set(parse, source);
  }
  if (identity.test(source)) return null;
  if (oid === bool && boolean.test(source)) return parseBoolean;
  return (oid === int2 || oid === int4) && integer.test(source) ? Number : parse;
}
