/** Reads the catalogue of SQLite. */

import { type ReadCatalogue, columnsOf, grouped } from '../../catalogue.ts';
import { type Rows, plainStatement } from '../../read/executor.ts';

const ofSchema = `pragma_table_list t where t.schema = coalesce(?, 'main') and t.name not like 'sqlite!_%' escape '!'`;
/** Views and virtual tables are read by name, because one whose table or module is gone fails the whole statement. */
const tables = `${ofSchema} and (t.type = 'table' or t.type in ('view', 'virtual') and
  exists (select 1 from json_each(?) where value in (t.name, t.schema || '.' || t.name)))`;
const viewsSql = `select t.name as c0, t.schema as c1, t.type as c2 from ${ofSchema} and t.type in ('view', 'virtual') order by t.name`;
const from = (pragma: string): string => tables.replace('where', `join ${pragma} where`);

const columnsSql = `
  select t.name as c0, t.schema as c1, p.name as c2, p.type as c3, p."notnull" as c4, p.pk as c5
    from ${from('pragma_table_xinfo(t.name, t.schema) p')} and p.hidden <> 1 order by t.name, p.cid`;

const indexSql = `
  select t.name as c0, i.name as c1, p.name as c2, i."unique" as c3
    from ${from('pragma_index_list(t.name, t.schema) i join pragma_index_info(i.name, t.schema) p')}
     and not i.partial
   order by t.name, i.name, p.seqno`;

const foreignSql = `
  select t.name as c0, f.id as c1, f."from" as c2, f."table" as c3, f."to" as c4
    from ${from('pragma_foreign_key_list(t.name, t.schema) f')} order by t.name, f.id, f.seq`;

export const readSqlite: ReadCatalogue = async (executor, schema, wanted) => {
  const read = (sql: string, ...values: readonly (string | null)[]) =>
    executor.run(plainStatement(sql, [schema, ...values]), [schema, ...values]);
  const ofTables = (sql: string) => read(sql, JSON.stringify(wanted));
  const columns = grouped(await ofTables(columnsSql), 0);
  const indexes = grouped(await ofTables(indexSql), 0);
  const foreign = grouped(await ofTables(foreignSql), 0);
  const views = new Map((await read(viewsSql)).map((row) => [String(row[0]), row]));
  const keyOf = (name: string) =>
    (columns.get(name) ?? [])
      .filter((row) => Number(row[5]) > 0)
      .toSorted((left, right) => Number(left[5]) - Number(right[5]))
      .map(third);
  const unread = [...views].filter(([name]) => !columns.has(name));
  const without = unread.map(([name, [, of, type]]) => ({
    schema: String(of),
    name,
    isView: type === 'view',
    columns: [],
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    indexes: [],
    rows: null,
  }));
  const found = [...columns].map(([name, own]) => ({
    schema: String(own[0]?.[1]),
    name,
    isView: views.get(name)?.[2] === 'view',
    columns: own.map((row) => ({
      name: third(row),
      type: String(row[3]),
      nullable: Number(row[4]) === 0 && Number(row[5]) === 0,
      notNull: Number(row[4]) === 1 && Number(row[5]) > 0,
    })),
    primaryKey: keyOf(name),
    uniqueKeys: [
      keyOf(name),
      ...[...grouped(indexes.get(name) ?? [], 1).values()]
        .filter((rows) => rows.every((row) => row[2] !== null && Number(row[3]) === 1))
        .map((rows) => rows.map(third)),
    ],
    foreignKeys: [...grouped(foreign.get(name) ?? [], 1).values()].map((rows) => {
      const table = named([...columns.keys()], rows[0]?.[3]);
      const others = (columns.get(table) ?? []).map(third);
      return {
        columns: rows.map(third),
        schema: String(own[0]?.[1]),
        table,
        // A foreign key without column names references the primary key.
        to: rows[0]?.[4] === null ? keyOf(table) : rows.map((row) => named(others, row[4])),
        // Each connection may switch foreign keys off, and does by default.
        isEnforced: false,
      };
    }),
    rows: null,
    indexes: [
      // The primary key may be the number of the row, which has no index of its own.
      { name: 'primary key', columns: keyOf(name) },
      ...[...grouped(indexes.get(name) ?? [], 1)].map(([index, rows]) => ({
        name: index,
        columns: columnsOf(rows),
      })),
    ],
  }));
  return [...found, ...without];
};

type Row = Rows[number];

const third = (row: Row): string => String(row[2]);

/** The name that a foreign key says, which may be in another case than that of the table or column. */
function named(names: readonly string[], said: unknown): string {
  const name = String(said);
  if (names.includes(name)) return name;
  return names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}
