/** Profile check of MySQL and MariaDB: version, character sets, time zone, SQL mode, column types, collations. */

import { type ArrayKind, type FieldKind, isArrayKind } from '../../../schema/index.ts';
import type { PhysicalSchema } from '../../index.ts';
import { membersOf } from './catalogue.ts';
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

interface TypeRow {
  readonly wanted: string;
  fits(dataType: string, columnType: string, declared: string): boolean;
}

const oneOf =
  (...types: string[]): TypeRow['fits'] =>
  (type) =>
    types.includes(type);

const texts = ['varchar', 'tinytext', 'text', 'mediumtext', 'longtext'];
const smallIntegers = ['tinyint', 'smallint', 'mediumint', 'year'];

const types: { readonly [K in Exclude<FieldKind, ArrayKind>]: TypeRow } = {
  string: { wanted: 'varchar or text', fits: oneOf(...texts) },
  uuid: { wanted: 'char(36)', fits: (_type, full) => full === 'char(36)' },
  enum: { wanted: 'enum, varchar or text', fits: oneOf('enum', ...texts) },
  integer: {
    wanted: 'a signed integer of at most 32 bits',
    fits: (type, full, declared) =>
      smallIntegers.includes(type) ||
      (type === 'int' && (!full.includes('unsigned') || /unsigned/i.test(declared))),
  },
  bigint: { wanted: 'bigint', fits: oneOf('bigint', 'int', ...smallIntegers) },
  decimal: { wanted: 'decimal(p, s)', fits: oneOf('decimal') },
  float: { wanted: 'double or float', fits: oneOf('double', 'float') },
  boolean: { wanted: 'tinyint(1)', fits: (_type, full) => full.startsWith('tinyint(1)') },
  date: { wanted: 'date', fits: oneOf('date') },
  datetime: {
    wanted: 'datetime(3) or datetime(6)',
    fits: (_type, full) => /^datetime\([3-6]\)/.test(full),
  },
  json: { wanted: 'json', fits: oneOf('json', 'longtext') },
  binary: {
    wanted: 'binary, varbinary or blob',
    fits: oneOf('binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'),
  },
  opaque: { wanted: 'any type', fits: () => true },
};

/** Collations that compare by code point and do not ignore trailing spaces. */
const exactCollations = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'];

const serverQuery = profileQuery(
  {
    version: 'version()',
    mode: '@@session.sql_mode',
    zone: '@@session.time_zone',
    systemZone: '@@system_time_zone',
    client: '@@character_set_client',
    connection: '@@character_set_connection',
  },
  '',
);

const columnsQuery = profileQuery(
  {
    name: 'column_name',
    // MySQL gives these a binary collation, which some drivers read as bytes.
    dataType: 'cast(data_type as char)',
    columnType: 'cast(column_type as char)',
    collation: 'collation_name',
  },
  'from information_schema.columns where table_schema = coalesce(?, database()) and table_name = ?',
);

/** MariaDB reads one table, and not all databases: both sides of the join name it. */
const nullableQuery = profileQuery(
  { column: 'c.column_name', uncertain: "t.table_type = 'VIEW'" },
  `from information_schema.columns c
   join information_schema.tables t on t.table_schema = coalesce(?, database()) and t.table_name = ?
   where c.table_schema = coalesce(?, database()) and c.table_name = ? and c.is_nullable = 'YES'`,
);

/** The columns of a table or view that accept nulls. */
export const nullableColumns: ReadNullable = async (run, { schema = null, name }) =>
  nullableOf(await run(nullableQuery, [schema, name, schema, name]));

/** Deviations of a MySQL or MariaDB database and of the tables of `physical` from the profile. */
export async function checkMysql(
  run: RunProfileQuery,
  physical: PhysicalSchema,
): Promise<ProfileViolation[]> {
  const [server = {}] = await run(serverQuery);
  const violations = checkServer(server);
  for (const columns of profiledTables(physical)) {
    const table = columns[0]?.table;
    const rows = table ? await run(columnsQuery, [table.schema ?? null, table.name]) : [];
    const found = new Map(rows.map((row) => [String(row['name']).toLowerCase(), row]));
    for (const column of columns) {
      const row = found.get(column.name.toLowerCase());
      violations.push(...(row ? checkColumn(column, row) : [missingColumn(column)]));
    }
  }
  return violations;
}

function checkServer(server: ProfileRow): ProfileViolation[] {
  const violations: ProfileViolation[] = [];
  const version = String(server['version']);
  const mariadb = /mariadb/i.test(version);
  if (!isAtLeast(version, mariadb ? [10, 6] : [8])) {
    const detail = `version ${version}; the profile requires MySQL 8.0 or MariaDB 10.6`;
    violations.push({ rule: 'version', where: 'server', detail });
  }
  for (const set of ['client', 'connection']) {
    if (server[set] === 'utf8mb4') continue;
    const detail = `character_set_${set} ${server[set]}; the profile requires utf8mb4: set the driver's charset`;
    violations.push({ rule: 'encoding', where: 'session', detail });
  }
  const zone = String(server['zone']) === 'SYSTEM' ? server['systemZone'] : server['zone'];
  if (!isUtc(String(zone))) {
    const detail = `time_zone ${zone}; the profile requires +00:00: set time_zone = '+00:00'`;
    violations.push({ rule: 'time-zone', where: 'session', detail });
  }
  const mode = String(server['mode']).split(',');
  if (!mode.includes('STRICT_TRANS_TABLES') && !mode.includes('STRICT_ALL_TABLES')) {
    const detail =
      'sql_mode is not strict; the profile requires STRICT_TRANS_TABLES or STRICT_ALL_TABLES';
    violations.push({ rule: 'mode', where: 'session', detail });
  }
  for (const unwanted of ['NO_BACKSLASH_ESCAPES', 'PAD_CHAR_TO_FULL_LENGTH']) {
    if (!mode.includes(unwanted)) continue;
    const detail = `sql_mode has ${unwanted}; the profile excludes it`;
    violations.push({ rule: 'mode', where: 'session', detail });
  }
  return violations;
}

function checkColumn(column: ProfiledColumn, row: ProfileRow): ProfileViolation[] {
  const { where, field } = column;
  const dataType = String(row['dataType']).toLowerCase();
  const columnType = String(row['columnType']).toLowerCase();
  if (field) {
    // Arrays are JSON.
    const kind = isArrayKind(field.kind) ? 'json' : field.kind;
    const { wanted, fits } = types[kind];
    if (!fits(dataType, columnType, field.sqlType)) return [wrongType(where, columnType, wanted)];
    if (kind === 'opaque') return [];
    if (field.storage !== 'native' && field.storage !== 'single' && kind !== 'json') {
      return [
        wrongType(where, `${columnType} read as ${field.storage}`, `the native type of the kind`),
      ];
    }
    if (kind === 'json') return [];
  }
  if (dataType === 'enum') {
    const misplaced = memberViolations(column, membersOf(String(row['columnType'])));
    if (misplaced.length > 0) return misplaced;
  }
  const collation = row['collation'];
  if (typeof collation !== 'string' || exactCollations.includes(collation)) return [];
  // Values of a fixed form are not affected by padding.
  const fixedForm = dataType === 'enum' || columnType === 'char(36)';
  if (fixedForm && /^(?:utf8mb4|ascii)_(?:.*_)?bin$/.test(collation)) return [];
  const wanted = fixedForm ? 'a binary collation' : exactCollations.join(' or ');
  const detail = `collation ${collation}; the profile requires ${wanted}, which distinguish case, accents and trailing spaces`;
  return [{ rule: 'collation', where, detail }];
}
