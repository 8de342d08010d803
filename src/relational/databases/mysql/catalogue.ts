/** Reads the catalogue of MySQL and MariaDB. */

import { type CatalogueColumn, type ReadCatalogue, columnsOf, grouped } from '../../catalogue.ts';
import { type Rows, plainStatement } from '../../read/executor.ts';
import { isMariaDb } from './time-limit.ts';

/** Each condition names the schema: over a join of two, MariaDB would read all databases, and fail where one is dropped. */
const columnsSql = `
  select c.table_name as c0, c.table_schema as c1, c.column_name as c2, c.column_type as c3, c.is_nullable as c4, t.table_type as c5, t.table_rows as c6
    from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = coalesce(?, database())
   where c.table_schema = coalesce(?, database()) and t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
   order by c.table_name, c.ordinal_position`;

const indexSql = `
  select table_name as c0, index_name as c1, column_name as c2, non_unique as c3
    from information_schema.statistics
   where table_schema = coalesce(?, database()) and index_type = 'BTREE'
   order by table_name, index_name, seq_in_index`;

const foreignSql = `
  select table_name as c0, constraint_name as c1, column_name as c2,
         referenced_table_schema as c3, referenced_table_name as c4, referenced_column_name as c5
    from information_schema.key_column_usage
   where table_schema = coalesce(?, database()) and referenced_table_name is not null
   order by table_name, constraint_name, ordinal_position`;

/** MariaDB stores JSON in a text column with this check constraint. */
const jsonSql = `
  select table_name as c0, check_clause as c1 from information_schema.check_constraints
   where constraint_schema = coalesce(?, database()) and check_clause like 'json_valid(%'`;

export const readMysql: ReadCatalogue = async (executor, schema) => {
  const read = (sql: string) => {
    const values = [...sql.matchAll(/\?/g)].map(() => schema);
    return executor.run(plainStatement(sql, values), values);
  };
  const columns = grouped(await read(columnsSql), 0);
  const indexes = grouped(await read(indexSql), 0);
  const foreign = grouped(await read(foreignSql), 0);
  const checks = grouped((await isMariaDb(executor)) ? await read(jsonSql) : [], 0);
  return [...columns].map(([name, own]) => {
    const all = grouped(indexes.get(name) ?? [], 1);
    const unique = grouped(
      (indexes.get(name) ?? []).filter((row) => Number(row[3]) === 0),
      1,
    );
    const json = new Set((checks.get(name) ?? []).map(([, clause]) => String(clause)));
    return {
      schema: String(own[0]?.[1]),
      name,
      isView: own[0]?.[5] === 'VIEW',
      columns: own.map((row) => columnOf(row, json)),
      primaryKey: unique.get('PRIMARY')?.map(third) ?? [],
      uniqueKeys: [...unique.values()].map((rows) => rows.map(third)),
      foreignKeys: [...grouped(foreign.get(name) ?? [], 1).values()].map((rows) => ({
        columns: rows.map(third),
        schema: String(rows[0]?.[3]),
        table: String(rows[0]?.[4]),
        to: rows.map((row) => String(row[5])),
        isEnforced: true,
      })),
      indexes: [...all].map(([index, rows]) => ({ name: index, columns: columnsOf(rows) })),
      rows: own[0]?.[6] === null ? null : Number(own[0]?.[6]),
    };
  });
};

type Row = Rows[number];

const third = (row: Row): string => String(row[2]);

function columnOf([, , name, type, nullable]: Row, json: ReadonlySet<string>): CatalogueColumn {
  const isJson = json.has(`json_valid(\`${String(name)}\`)`);
  return {
    name: String(name),
    type: isJson ? 'json' : String(type),
    nullable: nullable === 'YES',
    ...(/^enum\(/i.test(String(type)) && { enumValues: membersOf(String(type)) }),
  };
}

/** The members in `enum('a','it''s')`. */
export function membersOf(type: string): string[] {
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) =>
    member.replaceAll("''", "'"),
  );
}
