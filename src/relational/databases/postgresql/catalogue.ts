/** Reads the catalogue of PostgreSQL. */

import type {
  CatalogueColumn,
  CatalogueForeignKey,
  CatalogueIndex,
  CatalogueTable,
  ReadCatalogue,
} from '../../catalogue.ts';
import { plainStatement } from '../../read/executor.ts';

/** Names of the columns whose numbers are in an array, in its order. */
const names = (table: string, numbers: string): string => `
  (select json_agg(a.attname order by k.at)
     from unnest(${numbers}) with ordinality as k(number, at)
     join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`;

/** Whether an index begins with a text in the order of bytes, which the planner needs to find a prefix. */
const servesPrefix = `
  (select o.opcname like '%pattern_ops'
          or case l.collprovider
               when 'd' then coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'b' or d.datcollate in ('C', 'POSIX')
               when 'c' then l.collcollate in ('C', 'POSIX')
               else l.collprovider = 'b' end
     from pg_opclass o, pg_collation l, pg_database d
    where o.oid = i.indclass[0] and l.oid = i.indcollation[0] and d.datname = current_database())`;

// Tables that inherit from another have none of its foreign keys, and their rows are among its own. Lists are returned as JSON text, which every driver returns alike. PostgreSQL has no operators for a domain over an enum
// type, so such a column keeps the name of its domain, which has no kind.
const sql = `
  select n.nspname::text as c0, c.relname::text as c1,
         (select json_agg(json_build_object(
                   'name', a.attname,
                   'type', case when base.typtype <> 'e' then format_type(base.oid, t.typtypmod)
                                else format_type(a.atttypid, a.atttypmod) end,
                   'nullable', not (a.attnotnull or t.typnotnull),
                   'enumValues', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e
                                   where e.enumtypid = t.oid))
                 order by a.attnum)
            from pg_attribute a join pg_type t on t.oid = a.atttypid
            left join pg_type base on base.oid = t.typbasetype and t.typtype = 'd'
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as c2,
         (select json_agg(json_build_object(
                   'name', ic.relname, 'primary', i.indisprimary,
                   'unique', i.indisunique and (i.indimmediate or i.indisprimary), 'method', am.amname,
                   'servesPrefix', ${servesPrefix},
                   'columns', ${names('c.oid', '(i.indkey::int2[])[0:i.indnkeyatts - 1]')}))
            from pg_index i join pg_class ic on ic.oid = i.indexrelid join pg_am am on am.oid = ic.relam
           where i.indrelid = c.oid and i.indisvalid and i.indpred is null and i.indexprs is null)::text as c3,
         (select json_agg(json_build_object(
                   'columns', ${names('c.oid', 'f.conkey')},
                   'schema', fn.nspname, 'table', fc.relname,
                   'to', ${names('fc.oid', 'f.confkey')},
                   'isEnforced', f.convalidated and not f.condeferrable and not fc.relrowsecurity
                                 and (c.relkind = 'p' or not c.relhassubclass)) order by f.conname)
            from pg_constraint f
            join pg_class fc on fc.oid = f.confrelid
            join pg_namespace fn on fn.oid = fc.relnamespace
           where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0)::text as c4,
         case when c.relkind in ('v', 'm') then 'view' end as c5, c.reltuples::float8 as c6
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition
     and n.nspname = coalesce($1::text, current_schema())
   order by c.relname`;

const statement = plainStatement(sql, [null]);

interface Index extends CatalogueIndex {
  readonly primary: boolean;
  readonly unique: boolean;
  readonly method: string;
}

export const readPostgresql: ReadCatalogue = async (executor, schema) => {
  const rows = await executor.run(statement, [schema]);
  return rows.map(
    ([namespace, name, columns, indexes, foreignKeys, kind, rows]): CatalogueTable => {
      const all = list<Index>(indexes);
      const unique = all.filter((index) => index.unique);
      return {
        schema: String(namespace),
        name: String(name),
        isView: kind === 'view',
        columns: list<CatalogueColumn>(columns),
        primaryKey: unique.find(({ primary }) => primary)?.columns ?? [],
        uniqueKeys: unique.map((index) => index.columns),
        foreignKeys: list<CatalogueForeignKey>(foreignKeys),
        indexes: all.filter(({ method }) => method === 'btree'),
        inverted: all.filter(({ method }) => method === 'gin'),
        // A table that has not been analyzed has -1.
        rows: Number(rows) < 0 ? null : Number(rows),
      };
    },
  );
};

function list<Member>(json: unknown): readonly Member[] {
  return json === null ? [] : (JSON.parse(String(json)) as readonly Member[]);
}
