/**
 * Decides which conditions Prisma's own filters express exactly, by type, family and value; all others run as SQL. The
 * facts: `contains` has no escape clause and on SQLite ignores the case of ASCII letters; a backslash escapes on
 * PostgreSQL, and on MySQL where the mode of the session lets it; instants are bound and read in milliseconds; decimals
 * are compared as doubles on MySQL and SQLite; `skip` and `take` are truncated to 32 bits; enums and native UUIDs have
 * no patterns, booleans and enums no order.
 */

import type { DatabaseFamily, PlanValue } from '../../rules/index.ts';
import { families, uuidBytes } from '../../relational/index.ts';
import type { ClientField } from './client-model.ts';
import { doubleDigits, familyFacts } from './family-facts.ts';

/** Largest `skip` and `take` that Prisma does not truncate. */
export const maxWindow = 2 ** 31 - 1;
/** Whether a query can bind this number of values. */
export function fitsParameters(family: DatabaseFamily, count: number): boolean {
  return count <= familyFacts[family].maxParameters;
}

/** Largest number of keys that a query can list. */
export function keysPerQuery(family: DatabaseFamily, keyLength: number): number {
  return Math.floor(familyFacts[family].maxParameters / keyLength);
}

const digitsOf = (decimal: string): number =>
  decimal.replace('-', '').replace('.', '').replace(/^0+/, '').length;

/** Number of digits of a `decimal(p, s)` column. */
function columnDigits({ sqlType, family }: ClientField): number {
  const [, precision] = /\((\d+)/.exec(sqlType) ?? [];
  return precision === undefined ? familyFacts[family].decimalDigits : Number(precision);
}

/** Whether every value of a decimal column is compared exactly. */
function exactDecimals(field: ClientField): boolean {
  return familyFacts[field.family].exactDecimals || columnDigits(field) <= doubleDigits;
}

/** Whether the column has instants that the client does not read and bind exactly. */
export function hasMicroseconds({ type, sqlType, family, descriptor }: ClientField): boolean {
  const isInstant = type === 'DateTime' && descriptor.kind !== 'date';
  return isInstant && families[family].dialect.hasMicroseconds(sqlType);
}

/** A canonical value in the client's form; `undefined` if it would not be compared exactly. */
export function clientValue(field: ClientField, value: PlanValue): unknown {
  const { type, memberNames, descriptor } = field;
  switch (type) {
    case 'Int':
    case 'BigInt':
      if (typeof value === 'number') return value;
      if (!/^-?\d+$/.test(String(value))) return undefined;
      if (type === 'BigInt') return BigInt(String(value));
      return Math.abs(Number(value)) < 2 ** 31 ? Number(value) : undefined;
    case 'Decimal':
      if (familyFacts[field.family].exactDecimals) return String(value);
      return exactDecimals(field) && digitsOf(String(value)) <= doubleDigits
        ? String(value)
        : undefined;
    case 'DateTime': {
      if (descriptor.kind === 'date') return new Date(`${value}T00:00:00.000Z`);
      const text = String(value);
      return text.length === 24 ? new Date(text) : undefined;
    }
    case 'String':
    case 'Boolean':
      return value;
    case 'Bytes':
      return descriptor.kind === 'uuid' ? uuidBytes(value) : undefined;
    case 'Float':
    case 'Json':
      return undefined;
    default:
      // A type that is not a scalar is an enum.
      return memberNames?.get(String(value)) ?? value;
  }
}

const orderedTypes = new Set(['String', 'Int', 'BigInt', 'Decimal', 'DateTime']);

/** Whether the client orders the field by its values. */
export function hasOrder({ type, descriptor }: ClientField): boolean {
  // A decimal stored as text has no numeric order; a UUID stored as text has the order of its text.
  return orderedTypes.has(type) && !(type === 'String' && descriptor.kind === 'decimal');
}

/** Whether cursors with the client's values of the field are exact, so that they identify the same position again. */
export function keepsPlace(field: ClientField): boolean {
  if (!hasOrder(field)) return false;
  if (field.type === 'Decimal') return exactDecimals(field);
  return !hasMicroseconds(field);
}

/** A test for a literal substring in Prisma's terms. */
interface Contains {
  readonly contains: string;
  readonly mode?: 'insensitive';
}

/** The case-sensitive test; `undefined` if none is exact. */
export function plainContains(field: ClientField, term: string): Contains | undefined {
  const ignoresCase = /[a-z]/i.test(term) && !field.folded;
  if (familyFacts[field.family].looseContains && ignoresCase) return undefined;
  return containsTerm(field, term);
}

/** The test that ignores case as the family does; `undefined` if none is exact. */
export function foldedContains(field: ClientField, term: string): Contains | undefined {
  const mode = familyFacts[field.family].foldedContains;
  const test = mode && containsTerm(field, term);
  return test ? { ...test, ...mode } : undefined;
}

function containsTerm({ type, sqlType, family }: ClientField, term: string): Contains | undefined {
  if (type !== 'String') return undefined;
  const { looseContains, escapesPatterns, containsTypes } = familyFacts[family];
  if (looseContains) {
    const isSaid = term.length <= looseContains.maxLength && !/[%_]/.test(term);
    return isSaid ? { contains: term } : undefined;
  }
  if (!containsTypes.test(sqlType)) return undefined;
  const special = /[\\%_]/g;
  return escapesPatterns || term.search(special) < 0
    ? { contains: term.replaceAll(special, '\\$&') }
    : undefined;
}
