/** How the Prisma client and its driver adapters behave on each database family: the one table of the adapter. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';

/** Digits that a double keeps. */
export const doubleDigits = 15;

/** The client on one family. */
export interface FamilyFacts {
  /** Parameters of one statement, with room for what Prisma adds; it refuses a query that needs more. */
  readonly maxParameters: number;
  /** Whether the client compares decimals as they are, whatever their digits; else as doubles. */
  readonly exactDecimals: boolean;
  /** Digits of a decimal column whose type does not say. */
  readonly decimalDigits: number;
  /** Fraction digits of an instant whose type does not say; `null` where an instant has milliseconds, whatever the type. */
  readonly instantDigits: number | null;
  /** Whether `contains` is a pattern without an escape that ignores the case of ASCII letters, and its longest term. */
  readonly looseContains: { readonly maxLength: number } | null;
  /** Types that `contains` searches as they are; others are padded with blanks or have to be cast. */
  readonly containsTypes: RegExp;
  /** Where an ascending order puts nulls when nothing is said. */
  readonly nulls: 'first' | 'last';
  /** The schema that Prisma writes before tables without `@@schema`. */
  readonly defaultSchema: string | undefined;
  /** Whether the client stores dates, instants and JSON in forms of its own. */
  readonly ownForms: boolean;
  /** Kinds that the raw channel would cut, round or misread, and the type that they are cast to. */
  readonly asText: ReadonlySet<FieldKind>;
  readonly textType: 'text' | 'char';
  /** Whether the raw channel does not read some types of the catalogue, which come through as JSON. */
  readonly catalogueAsJson: boolean;
}

export const familyFacts: Readonly<Record<DatabaseFamily, FamilyFacts>> = {
  postgresql: {
    maxParameters: 30_000,
    exactDecimals: true,
    decimalDigits: Infinity,
    instantDigits: 6,
    looseContains: null,
    containsTypes: /^(text|varchar)/,
    nulls: 'last',
    defaultSchema: 'public',
    ownForms: false,
    // Instants and days would come as `Date`, in milliseconds.
    asText: new Set<FieldKind>(['datetime', 'date', 'decimal']),
    textType: 'text',
    catalogueAsJson: true,
  },
  mysql: {
    maxParameters: 60_000,
    exactDecimals: false,
    decimalDigits: Infinity,
    instantDigits: 0,
    looseContains: null,
    containsTypes: /^/,
    nulls: 'first',
    defaultSchema: undefined,
    ownForms: false,
    // Text of a binary collation is taken for bytes before Prisma 7; cast, it has the connection's collation.
    asText: new Set<FieldKind>(['datetime', 'date', 'decimal', 'bigint', 'string', 'uuid', 'enum']),
    textType: 'char',
    catalogueAsJson: false,
  },
  sqlite: {
    maxParameters: 900,
    exactDecimals: false,
    decimalDigits: doubleDigits,
    instantDigits: null,
    // SQLite takes patterns of 50,000 bytes, three of them for one character.
    looseContains: { maxLength: 16_000 },
    containsTypes: /^/,
    nulls: 'first',
    defaultSchema: undefined,
    ownForms: true,
    asText: new Set<FieldKind>(['datetime', 'bigint']),
    textType: 'text',
    catalogueAsJson: false,
  },
};
