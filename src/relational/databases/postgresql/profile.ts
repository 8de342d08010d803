/** Profile check of PostgreSQL: version, encoding, time zone, column types, collations. */

import type { FieldKind } from '../../../schema/index.ts';
import type { PhysicalSchema, TableRef } from '../../index.ts';
import type {
  CatalogueRow,
  ProfiledColumn,
  ProfileViolation,
  RunSql,
} from '../../profile/violation.ts';
import {
  isAtLeast,
  isUtc,
  missingColumn,
  profiledTables,
  wrongType,
} from '../../profile/violation.ts';

/** Accepted `pg_type.typname` by kind; enum types are recognized by `typtype`. */
const types: { readonly [K in FieldKind]: readonly string[] } = {
  string: ['text', 'varchar'],
  uuid: ['uuid'],
  enum: ['text', 'varchar'],
  integer: ['int2', 'int4'],
  bigint: ['int2', 'int4', 'int8'],
  decimal: ['numeric'],
  boolean: ['bool'],
  date: ['date'],
  datetime: ['timestamptz'],
  json: ['json', 'jsonb'],
  binary: ['bytea'],
};

// Through `to_jsonb`, a catalogue column that an older version does not have is null.
const serverSql = `
  select current_setting('server_version') as version,
         pg_encoding_to_char(d.encoding) as encoding,
         current_setting('TimeZone') as "timeZone",
         d.datcollate as collate,
         to_jsonb(d) ->> 'datlocprovider' as provider
    from pg_database d
   where d.datname = current_database()`;

const columnsSql = `
  select wanted.name as "table",
         a.attname as "column",
         format_type(a.atttypid, a.atttypmod) as type,
         coalesce(base.typname, t.typname) as name,
         coalesce(base.typtype, t.typtype) = 'e' as "isEnum",
         case when base.oid is null then a.atttypmod else t.typtypmod end as modifier,
         a.attcollation <> 0 as "hasCollation",
         c.collname as collation,
         c.collprovider as provider,
         c.collcollate as collate,
         c.collisdeterministic as deterministic
    from jsonb_array_elements_text(?::jsonb) as wanted(name)
    join pg_attribute a on a.attrelid = to_regclass(wanted.name) and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type base on base.oid = t.typbasetype
    left join pg_collation c on c.oid = a.attcollation`;

/** Deviations of a PostgreSQL database and of the tables of `physical` from the profile. */
export async function checkPostgresql(
  run: RunSql,
  physical: PhysicalSchema,
): Promise<ProfileViolation[]> {
  const [server = {}] = await run(serverSql);
  const tables = profiledTables(physical);
  const names = tables.flatMap(([first]) => (first ? [quoted(first.table)] : []));
  const rows = await run(columnsSql, [JSON.stringify(names)]);
  const found = new Map(rows.map((row) => [`${row['table']} ${row['column']}`, row]));
  return [
    ...checkServer(server),
    ...tables.flat().flatMap((column) => {
      const row = found.get(`${quoted(column.table)} ${column.name}`);
      return row ? checkColumn(column, row, server) : [missingColumn(column)];
    }),
  ];
}

function checkServer(server: CatalogueRow): ProfileViolation[] {
  const violations: ProfileViolation[] = [];
  const { version, encoding, timeZone } = server;
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
  return violations;
}

function checkColumn(
  { where, field }: ProfiledColumn,
  row: CatalogueRow,
  server: CatalogueRow,
): ProfileViolation[] {
  const type = String(row['type']);
  if (field && !(field.kind === 'enum' && row['isEnum'])) {
    const wanted = types[field.kind];
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
function ordersByCodePoint(row: CatalogueRow, server: CatalogueRow): boolean {
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
