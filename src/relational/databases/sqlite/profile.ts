/** Profile check of SQLite: version, encoding, column affinities, collations, exact decimals, forms of instants. */

import { isArrayKind } from '../../../schema/index.ts';
import type { PhysicalColumn, PhysicalSchema } from '../../index.ts';
import type { ProfiledColumn, ProfileViolation, RunProfileQuery } from '../../profile/violation.ts';
import { type ReadNullable, nullableOf } from '../../profile/nullable-columns.ts';
import {
  isAtLeast,
  missingColumn,
  profileQuery,
  profiledTables,
  wrongType,
} from '../../profile/violation.ts';

type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';

/** Number of decimal digits that a SQLite number stores exactly. */
const exactDigits = 15;
/** Number of rows sampled where the catalogue has no information. */
const sampledRows = 1000;

/** A GLOB condition for instants stored as text with milliseconds. */
const textForm = (between: 'T' | ' ', zone: string): string =>
  `v glob '0000-00-00${between}00:00:00.000${zone}'`.replaceAll('0', '[0-9]');

const instantForms = {
  'epoch-seconds': `typeof(v) = 'integer'`,
  'epoch-milliseconds': `typeof(v) = 'integer'`,
  'iso-text': textForm('T', 'Z'),
  'blank-text': textForm(' ', ''),
  'short-text': `(${textForm(' ', '')} and v not glob '*.000' or ${textForm(' ', '').replace('.[0-9][0-9][0-9]', '')})`,
  'offset-text': `${textForm('T', '')} || '+00:00'`,
} as const;

/** The declared types of a table's columns. */
const typesQuery = profileQuery({ name: 'name', type: 'type' }, 'from pragma_table_xinfo(?)');

const nullableQuery = profileQuery(
  { column: 'p.name', uncertain: "t.type = 'view' or p.pk > 0" },
  `from pragma_table_list t join pragma_table_xinfo(t.name, t.schema) p
   where t.schema = 'main' and t.name = ? and p."notnull" = 0`,
);

/** The columns of a table that accept nulls; all of a view do, and those of a key that is not a whole number. */
export const nullableColumns: ReadNullable = async (run, { name }) =>
  nullableOf(await run(nullableQuery, [name]));

/** Deviations of a SQLite database and of the tables of `physical` from the profile. */
export async function checkSqlite(
  run: RunProfileQuery,
  physical: PhysicalSchema,
): Promise<ProfileViolation[]> {
  const violations = await checkFile(run);
  for (const columns of profiledTables(physical)) {
    const table = columns[0]?.table.name ?? '';
    const rows = await run(typesQuery, [table]);
    const declared = new Map(
      rows.map((row) => [String(row['name']).toLowerCase(), String(row['type'])]),
    );
    for (const column of columns) {
      const type = declared.get(column.name.toLowerCase());
      violations.push(
        ...(type === undefined ? [missingColumn(column)] : await checkColumn(run, column, type)),
      );
    }
  }
  return violations;
}

async function checkFile(run: RunProfileQuery): Promise<ProfileViolation[]> {
  const violations: ProfileViolation[] = [];
  const [{ version } = {}] = await run(profileQuery({ version: 'sqlite_version()' }, ''));
  if (!isAtLeast(String(version), [3, 40])) {
    const detail = `SQLite ${version}; the profile requires 3.40 or later`;
    violations.push({ rule: 'version', where: 'server', detail });
  }
  const [{ encoding } = {}] = await run(
    profileQuery({ encoding: 'encoding' }, 'from pragma_encoding'),
  );
  if (encoding !== 'UTF-8') {
    const detail = `encoding ${encoding}; the profile requires UTF-8`;
    violations.push({ rule: 'encoding', where: 'database', detail });
  }
  return violations;
}

async function checkColumn(
  run: RunProfileQuery,
  column: ProfiledColumn,
  type: string,
): Promise<ProfileViolation[]> {
  const { field, where } = column;
  const affinity = affinityOf(type);
  if (field) {
    const wanted = affinitiesOf(field);
    if (!wanted.includes(affinity)) return [wrongType(where, type, wanted.join(' or '))];
    const precision = Number(/\((\d+)/.exec(type)?.[1] ?? 0);
    if (field.kind === 'decimal' && field.storage === 'native' && precision > exactDigits) {
      const detail = `type ${type} is exact to ${exactDigits} digits only; the profile requires a TEXT column with a portableOrderField for more`;
      return [{ rule: 'decimal', where, detail }];
    }
    if (field.kind === 'datetime') return checkInstants(run, column, field);
  }
  return affinity === 'TEXT' ? checkCollation(run, column) : [];
}

/** The catalogue does not give the collation of a column, but UNION removes duplicates by it. */
async function checkCollation(
  run: RunProfileQuery,
  { table, name, where }: ProfiledColumn,
): Promise<ProfileViolation[]> {
  const [{ distinct } = {}] = await run(
    profileQuery(
      { distinct: 'count(*)' },
      `from (select ${quoted(name)} from ${quoted(table.name)} where 0
             union select 'a' union select 'A' union select 'a ')`,
    ),
  );
  if (Number(distinct) === 3) return [];
  const detail =
    'its collation ignores case or trailing spaces; the profile requires BINARY, the default';
  return [{ rule: 'collation', where, detail }];
}

async function checkInstants(
  run: RunProfileQuery,
  { table, name, where }: ProfiledColumn,
  { storage }: PhysicalColumn,
): Promise<ProfileViolation[]> {
  const form = storage in instantForms ? instantForms[storage as keyof typeof instantForms] : null;
  if (!form) return [wrongType(where, `instants as ${storage}`, 'integers or text of one form')];
  const [{ deviating } = {}] = await run(
    profileQuery(
      { deviating: 'count(*)' },
      `from (select ${quoted(name)} as v from ${quoted(table.name)} limit ${sampledRows})
       where v is not null and not (${form})`,
    ),
  );
  if (Number(deviating) === 0) return [];
  const detail = `values that are not stored as ${storage}; the profile requires one form per column`;
  return [{ rule: 'datetime-form', where, detail }];
}

function affinitiesOf({ kind, storage }: PhysicalColumn): readonly Affinity[] {
  switch (storage) {
    case 'numeric-text':
    case 'json-text':
      return ['TEXT'];
    case 'json-number':
      return ['TEXT', 'NUMERIC'];
    case 'json-blob':
    case 'uuid-bytes':
      return ['BLOB'];
    case 'iso-text':
    case 'blank-text':
    case 'short-text':
    case 'offset-text':
      return ['TEXT', 'NUMERIC'];
    case 'epoch-seconds':
    case 'epoch-milliseconds':
      return ['INTEGER', 'NUMERIC'];
    case 'single':
    case 'native':
  }
  if (isArrayKind(kind)) return ['TEXT'];
  switch (kind) {
    case 'float':
      return ['REAL', 'NUMERIC'];
    case 'opaque':
      return ['INTEGER', 'REAL', 'NUMERIC', 'TEXT', 'BLOB'];
    case 'integer':
    case 'bigint':
      return ['INTEGER'];
    case 'boolean':
    case 'decimal':
      return ['INTEGER', 'NUMERIC'];
    case 'binary':
      return ['BLOB'];
    case 'date':
    case 'datetime':
      return ['TEXT', 'NUMERIC'];
    case 'string':
    case 'uuid':
    case 'enum':
    case 'json':
      return ['TEXT'];
  }
}

/** The column affinity, by the rules of SQLite and in their order. */
function affinityOf(type: string): Affinity {
  const upper = type.toUpperCase();
  if (upper.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(upper)) return 'TEXT';
  if (upper.includes('BLOB') || upper === '') return 'BLOB';
  return /REAL|FLOA|DOUB/.test(upper) ? 'REAL' : 'NUMERIC';
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
