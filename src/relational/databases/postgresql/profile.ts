/** Profile check of PostgreSQL: version, encoding, time zone, column types, collations. */

import { type ItemKind, kindRow } from '../../../schema/index.ts';
import type { PhysicalSchema, TableRef } from '../../index.ts';
import {
  type ProfileRow,
  type ProfiledColumn,
  type ProfileViolation,
  type RunProfileQuery,
  isAtLeast,
  isUtc,
  memberViolations,
  missingColumn,
  profileQuery,
  profiledTables,
  wrongType,
} from '../../profile/violation.ts';
import { type ReadNullable, nullableOf } from '../../profile/nullable-columns.ts';

/** Accepted `pg_type.typname` by kind; enum types are recognized by `typtype`. */
const types: { readonly [K in ItemKind | 'json' | 'binary']: readonly string[] } = {
  string: ['text', 'varchar'],
  uuid: ['uuid'],
  enum: ['text', 'varchar'],
  integer: ['int2', 'int4'],
  bigint: ['int2', 'int4', 'int8'],
  decimal: ['numeric'],
  float: ['float4', 'float8'],
  boolean: ['bool'],
  date: ['date'],
  datetime: ['timestamptz'],
  json: ['json', 'jsonb'],
  binary: ['bytea'],
};

// Names and characters are cast, because some clients do not read the catalogue's own types.
const serverQuery = profileQuery(
  {
    version: `current_setting('server_version')`,
    encoding: 'pg_encoding_to_char(d.encoding)::text',
    timeZone: `current_setting('TimeZone')`,
    dateStyle: `current_setting('DateStyle')`,
    floatDigits: `current_setting('extra_float_digits')`,
    collate: 'd.datcollate::text',
    // Through `to_jsonb`, a catalogue column that an older version does not have is null.
    provider: `to_jsonb(d) ->> 'datlocprovider'`,
  },
  'from pg_database d where d.datname = current_database()',
);

const columnsQuery = profileQuery(
  {
    table: 'wanted.name',
    column: 'a.attname::text',
    type: 'format_type(a.atttypid, a.atttypmod)',
    name: 'coalesce(base.typname, t.typname)::text',
    isEnum: `coalesce(base.typtype, t.typtype) = 'e'`,
    members: `(select json_agg(e.enumlabel order by e.enumsortorder)::text from pg_enum e
      where e.enumtypid = coalesce(base.oid, t.oid))`,
    modifier: 'case when base.oid is null then a.atttypmod else t.typtypmod end',
    hasCollation: 'a.attcollation <> 0',
    collation: 'c.collname::text',
    provider: 'c.collprovider::text',
    collate: 'c.collcollate::text',
    deterministic: 'c.collisdeterministic',
  },
  `from jsonb_array_elements_text($1::jsonb) as wanted(name)
   join pg_attribute a on a.attrelid = to_regclass(wanted.name) and a.attnum > 0 and not a.attisdropped
   join pg_type t on t.oid = a.atttypid
   left join pg_type base on base.oid = t.typbasetype
   left join pg_collation c on c.oid = a.attcollation`,
);

const nullableQuery = profileQuery(
  { column: 'a.attname::text', uncertain: "c.relkind in ('v', 'm')" },
  `from pg_class c
   join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   join pg_type t on t.oid = a.atttypid
   where c.oid = to_regclass($1) and not (a.attnotnull or t.typnotnull)`,
);

/** The columns of a table that accept nulls; all of a view do. */
export const nullableColumns: ReadNullable = async (run, table) =>
  nullableOf(await run(nullableQuery, [quoted(table)]));

/** Deviations of a PostgreSQL database and of the tables of `physical` from the profile. */
export async function checkPostgresql(
  run: RunProfileQuery,
  physical: PhysicalSchema,
): Promise<ProfileViolation[]> {
  const [server = {}] = await run(serverQuery);
  const tables = profiledTables(physical);
  const names = tables.flatMap(([first]) => (first ? [quoted(first.table)] : []));
  const rows = await run(columnsQuery, [JSON.stringify(names)]);
  const found = new Map(rows.map((row) => [`${row['table']} ${row['column']}`, row]));
  return [
    ...checkServer(server),
    ...tables.flat().flatMap((column) => {
      const row = found.get(`${quoted(column.table)} ${column.name}`);
      return row ? checkColumn(column, row, server) : [missingColumn(column)];
    }),
  ];
}

function checkServer(server: ProfileRow): ProfileViolation[] {
  const violations: ProfileViolation[] = [];
  const { version, encoding, timeZone, dateStyle, floatDigits } = server;
  if (!isAtLeast(String(version), [14])) {
    const detail = `PostgreSQL ${version}; the profile requires 14 or later`;
    violations.push({ rule: 'version', where: 'server', detail });
  }
  if (encoding !== 'UTF8') {
    const detail = `encoding ${encoding}; the profile requires UTF8`;
    violations.push({ rule: 'encoding', where: 'database', detail });
  }
  if (!isUtc(String(timeZone))) {
    const detail = `TimeZone ${timeZone}; the profile requires UTC: alter database ... set timezone to 'UTC'`;
    violations.push({ rule: 'time-zone', where: 'session', detail });
  }
  if (!/^ISO\b/i.test(String(dateStyle))) {
    const detail = `DateStyle ${dateStyle}; the profile requires ISO: alter database ... set datestyle to 'ISO'`;
    violations.push({ rule: 'date-style', where: 'session', detail });
  }
  if (Number(floatDigits) <= 0) {
    const detail = `extra_float_digits ${floatDigits} rounds floats, so that pages ordered by them repeat or lose rows; the profile requires 1 or more`;
    violations.push({ rule: 'float-digits', where: 'session', detail });
  }
  return violations;
}

function checkColumn(
  column: ProfiledColumn,
  row: ProfileRow,
  server: ProfileRow,
): ProfileViolation[] {
  const { where, field } = column;
  if (row['isEnum']) {
    const members = JSON.parse(String(row['members'] ?? '[]')) as readonly string[];
    const misplaced = memberViolations(column, members);
    if (misplaced.length > 0) return misplaced;
  }
  const type = String(row['type']);
  if (field?.kind === 'opaque') return [];
  const { items } = kindRow(field?.kind ?? 'opaque');
  if (items) {
    // The name of a type of arrays is that of its members' type behind a low line; an enum has a name of the host.
    const own = items === 'enum' ? [String(row['name'])] : types[items].map((name) => `_${name}`);
    const wanted = field?.member ? types.json : own;
    return wanted.includes(String(row['name']))
      ? []
      : [wrongType(where, type, wanted.join(' or '))];
  }
  if (field && !(field.kind === 'enum' && row['isEnum'])) {
    const wanted = types[field.kind as keyof typeof types];
    if (!wanted.includes(String(row['name']))) {
      return [wrongType(where, type, wanted.join(' or '))];
    }
    if (field.storage !== 'native') {
      return [wrongType(where, `${type} read as ${field.storage}`, `the native type of the kind`)];
    }
    if (field.kind === 'decimal' && Number(row['modifier']) < 0) {
      const detail = `type ${type} without bounds; the profile requires numeric(p, s)`;
      return [{ rule: 'decimal', where, detail }];
    }
  }
  if (!row['hasCollation'] || ordersByCodePoint(row, server)) return [];
  const name = row['provider'] === 'd' ? `default (${server['collate']})` : row['collation'];
  const detail = `collation ${name}; the profile requires text compared by code point: COLLATE "C"`;
  return [{ rule: 'collation', where, detail }];
}

/**
 * Whether a collation compares by code point: the C locales of libc, and all locales of the builtin provider.
 * `default` is the collation of the database.
 */
function ordersByCodePoint(row: ProfileRow, server: ProfileRow): boolean {
  const isDefault = row['provider'] === 'd';
  if (!isDefault && !row['deterministic']) return false;
  const provider = isDefault ? (server['provider'] ?? 'c') : row['provider'];
  const collate = String(isDefault ? server['collate'] : row['collate']);
  return provider === 'b' || (provider === 'c' && /^(?:C|POSIX|C\.utf-?8)$/i.test(collate));
}

function quoted({ schema, name }: TableRef): string {
  const parts = schema === undefined ? [name] : [schema, name];
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
