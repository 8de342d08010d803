/** Parsers of drivers and hosts beside those that replace them. */

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import {
  parseBoolean,
  simplestParser,
} from '../../../src/relational/databases/postgresql/wire/simplest-parser.ts';

const [bool, int4, text] = [16, 23, 25];

const ofPg = (oid: number): ((value: string) => unknown) => pg.types.getTypeParser(oid as never);

/** Its source tells that it returns its argument; that of a function bound to it does not. */
const unchanged = (value: string): string => value;

describe('the simplest parser', () => {
  it('is Number for the whole numbers of pg', () => {
    expect(simplestParser(ofPg(int4), int4)).toBe(Number);
    expect(simplestParser((value) => parseInt(value, 10), int4)).toBe(Number);
  });

  it('is that of booleans for pg', () => {
    const parse = simplestParser(ofPg(bool), bool);
    expect(parse).toBe(parseBoolean);
    expect(['t', 'f'].map((value) => parse?.(value))).toEqual([true, false]);
  });

  it('is none where texts stay as they are', () => {
    expect(simplestParser(ofPg(text), text)).toBeNull();
    expect(simplestParser((value) => value, 1184)).toBeNull();
    expect(simplestParser((value) => String(value), text)).toBeNull();
    expect(
      simplestParser(function named(value) {
        return value;
      }, text),
    ).toBeNull();
    expect(simplestParser(null, int4)).toBeNull();
  });

  it.each<readonly [string, number, (value: string) => unknown]>([
    ['dates of pg', 1184, ofPg(1184)],
    ['the whole numbers of pg for another type', 26, ofPg(26)],
    ['whole numbers in another base', int4, (value) => parseInt(value, 16)],
    ['one value as null', int4, (value) => (value === '100' ? null : Number(value))],
    ['one value as another', int4, (value) => (value === '100' ? 0 : parseInt(value, 10))],
    ['booleans that are inverted', bool, (value) => value !== 't'],
    ['trimmed texts', text, (value) => value.trim()],
    ['texts with more', text, (value) => `${value}`],
    ['bound functions', int4, unchanged.bind(null)],
    ['functions of the language', int4, Number.parseFloat],
  ])('is the parser of a host: %s', (_, oid, parse) => {
    expect(simplestParser(parse, oid)).toBe(parse);
  });
});
