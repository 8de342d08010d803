/** The behaviour of the Prisma client and its driver adapters on each database family. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import type { Sql } from '../../relational/index.ts';
import {
  type CheckProfile,
  type ProfileViolation,
  profileQuery,
} from '../../relational/profile/index.ts';

/** Number of decimal digits that a double keeps. */
export const doubleDigits = 15;

/** The behaviour of the client on one family. */
interface ClientBehaviour {
  /**
   * Largest number of parameters of one statement, with room for those that Prisma adds; larger queries are refused.
   */
  readonly maxParameters: number;
  /** Whether the client compares decimals exactly; else as doubles. */
  readonly exactDecimals: boolean;
  /** Number of digits of a decimal column whose type does not state it. */
  readonly decimalDigits: number;
  /** The quote of names in the client's own queries. */
  readonly quote: '"' | '`';
  /** The schema that Prisma writes before tables without `@@schema`. */
  readonly defaultSchema: string | undefined;
  /** Whether the client stores dates, instants and JSON in its own formats. */
  readonly ownForms: boolean;
  /** Kinds that raw queries would truncate, round or misread, and the type that they are cast to. */
  readonly asText: ReadonlySet<FieldKind>;
  readonly textType: 'text' | 'char';
  /** JSON that a column stores as text or number, as text: the client parses columns by their declared type or refuses them. */
  readonly jsonText?: (expression: Sql) => Sql;
  /** How the driver adapter reads values differently from how they are stored. */
  readonly clientProfile?: CheckProfile;
}

const yearsQuery = profileQuery({ instant: `cast('0001-01-01 00:00:00' as datetime)` }, '');

/** An instant of the year 1 must not be read as one of the year 2001. */
const checkYears: CheckProfile = async (run) => {
  const [{ instant } = {}] = await run(yearsQuery);
  if (instant instanceof Date && instant.getUTCFullYear() === 1) return [];
  const detail =
    'the driver adapter takes years before 100 for later ones; wrap it in exactYears() of sluice/prisma';
  return [{ rule: 'datetime-form', where: 'client', detail }];
};

const typesQuery = profileQuery({ name: 'name', type: 'type' }, 'from pragma_table_xinfo(?)');

/** The adapter recognizes decimals by the name of their type, and guesses other types by the first row. */
const checkDecimals: CheckProfile = async (run, physical) => {
  const violations: ProfileViolation[] = [];
  for (const { model, table, columns } of physical.values()) {
    const declared = await run(typesQuery, [table.name]);
    const types = new Map(declared.map(({ name, type }) => [name, String(type)]));
    for (const { path, name, kind, storage } of columns.values()) {
      const type = types.get(name);
      if (kind !== 'decimal' || storage !== 'native' || type === undefined) continue;
      if (type.toUpperCase() === 'DECIMAL') continue;
      const detail = `type ${type}, which the driver adapter does not read as a decimal; declare it DECIMAL`;
      violations.push({ rule: 'decimal', where: `${model}.${path}`, detail });
    }
  }
  return violations;
};

export const clientBehaviour: Readonly<Record<DatabaseFamily, ClientBehaviour>> = {
  postgresql: {
    maxParameters: 30_000,
    exactDecimals: true,
    decimalDigits: Infinity,
    quote: '"',
    defaultSchema: 'public',
    ownForms: false,
    // Instants and days would be returned as `Date`, in milliseconds.
    asText: new Set<FieldKind>(['datetime', 'date', 'decimal']),
    textType: 'text',
  },
  mysql: {
    maxParameters: 60_000,
    exactDecimals: false,
    decimalDigits: Infinity,
    quote: '`',
    defaultSchema: undefined,
    ownForms: false,
    // Before Prisma 7, text with a binary collation is read as bytes; a cast gives it the connection's collation.
    asText: new Set<FieldKind>(['datetime', 'date', 'decimal', 'bigint', 'string', 'uuid', 'enum']),
    textType: 'char',
    clientProfile: checkYears,
  },
  sqlite: {
    maxParameters: 900,
    exactDecimals: false,
    decimalDigits: doubleDigits,
    quote: '`',
    defaultSchema: undefined,
    ownForms: true,
    asText: new Set<FieldKind>(['datetime', 'bigint']),
    textType: 'text',
    // A cast would round numbers to 15 digits.
    jsonText: (json) => [
      `case typeof(`,
      json,
      `) when 'real' then quote(`,
      json,
      `) else cast(`,
      json,
      ` as text) end`,
    ],
    clientProfile: checkDecimals,
  },
};
