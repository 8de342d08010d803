/** Reads the installed version, columns and indexes of pg-boss from PostgreSQL. */

import type { SchemaColumns } from './features.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import { isMisfit } from '../connect/read-errors.ts';

/** The content of the schema's version table. */
type InstalledVersion =
  | { readonly installed: false }
  | { readonly installed: true; readonly version: number | null };

/** The columns of the schema that are visible to the role. */
export interface SchemaShape {
  /** Columns that the role may read. */
  readonly columns: SchemaColumns;
  /** Whether the role may change jobs in every table of jobs, on a server that takes writes. */
  readonly mayWrite: boolean;
  /** Whether it may change schedules as well. */
  readonly maySchedule: boolean;
}

/** A job table: the common one, or that of a partitioned queue. */
export interface JobTable {
  readonly name: string;
  /** The only queue in the table; `null` for the common table. */
  readonly queueName: string | null;
  /** Whether it has the index of the listing of a queue. */
  readonly indexed: boolean;
  /** Whether it has the index of the listing of all queues. */
  readonly byTime: boolean;
}

/** The version row; a missing table is a result, not an error. */
export async function readVersion(session: ReadSession, schema: string): Promise<InstalledVersion> {
  try {
    const rows = await session.query(`select version from "${schema}".version limit 1`, []);
    const version = Number(rows[0]?.['version'] ?? Number.NaN);
    return { installed: true, version: Number.isInteger(version) ? version : null };
  } catch (error) {
    // Schema or table are missing, or the role may not read them.
    if (isMisfit(error)) return { installed: false };
    throw error;
  }
}

const columnsSql = `
select c.relname as "table", array_agg(a.attname::text) as columns,
  (select bool_and(has_table_privilege(t.oid, 'SELECT') and has_table_privilege(t.oid, 'INSERT')
      and has_table_privilege(t.oid, 'UPDATE') and has_table_privilege(t.oid, 'DELETE'))
    from (select c.oid union all select inhrelid from pg_catalog.pg_inherits where inhparent = c.oid) t) as writable,
  not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as open
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = $1 and c.relkind in ('r', 'p')
  and c.relname in ('queue', 'job', 'schedule', 'job_dependency', 'queue_stats', 'warning', 'instance')
  and has_column_privilege(c.oid, a.attnum, 'SELECT')
group by c.oid, c.relname`;

/** The columns of all tables that the board reads. */
export async function readShape(session: ReadSession, schema: string): Promise<SchemaShape> {
  const rows = await session.query(columnsSql, [schema]);
  const columns = new Map<string, ReadonlySet<string>>();
  const writable = new Set<unknown>();
  for (const row of rows) {
    columns.set(String(row['table']), new Set(row['columns'] as string[]));
    if (row['writable'] === true && row['open'] === true) writable.add(row['table']);
  }
  const mayWrite = writable.has('job');
  return { columns, mayWrite, maySchedule: mayWrite && writable.has('schedule') };
}

const jobTablesSql = String.raw`
select t.relname as name,
  replace(substring(pg_get_expr(t.relpartbound, t.oid) from '^FOR VALUES IN \(''(.*)''\)$'), '''''', '''') as queue,
  coalesce(bool_or(k.columns in ('name,state,created_on desc,id desc', 'name,state,created_on,id')), false) as indexed,
  coalesce(bool_or(k.columns ~ '^created_on( desc,id desc|,id)(,|$)'), false) as by_time
from pg_catalog.pg_class p
join pg_catalog.pg_namespace n on n.oid = p.relnamespace
join pg_catalog.pg_inherits h on h.inhparent = p.oid
join pg_catalog.pg_class t on t.oid = h.inhrelid
left join lateral (
  select (
    select string_agg(a.attname || case when i.indoption[k.place - 1] & 1 = 1 then ' desc' else '' end, ','
      order by k.place)
    from unnest(i.indkey::int2[]) with ordinality as k(number, place)
    join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
    where k.place <= 4
  ) as columns
  from pg_catalog.pg_index i
  where i.indrelid = t.oid and i.indisvalid and i.indpred is null
) k on true
where n.nspname = $1 and p.relname = 'job'
group by t.oid, t.relname, t.relpartbound
order by t.relname`;

/** The tables that hold jobs, and which of them have the indexes of listings. */
export async function readJobTables(
  session: ReadSession,
  schema: string,
): Promise<readonly JobTable[]> {
  const rows = await session.query(jobTablesSql, [schema]);
  return rows.map((row) => ({
    name: String(row['name']),
    queueName: typeof row['queue'] === 'string' ? row['queue'] : null,
    indexed: row['indexed'] === true,
    byTime: row['by_time'] === true,
  }));
}
