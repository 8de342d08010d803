/**
 * Keeps runs in a table of PostgreSQL, beside the jobs. It is created for the first run; a role that may not create it, or
 * not write to it, keeps its runs in the memory of the process.
 */

import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { BulkAction, BulkRun, ErrorKey, TranslatableMessage } from '../../contract/index.ts';
import { foundOf } from './found.ts';
import { keptMs, leaseMs, mostKept, mostRunning, waitingMs } from './run-store.ts';
import type { ClaimedRun, KeptRun, RunChange, RunStore, RunWithin } from './run-store.ts';

/** Where the table is, and how statements reach it. */
interface RunTable {
  /** See {@link RunStore.key}. */
  readonly key: string;
  /** The schema; default: the first one of the search path. */
  readonly schema?: string;
  /** The name of the table in that schema, which needs no quotes. */
  readonly name: string;
  /** Where runs are kept if the table cannot be. */
  readonly memory: RunStore;
  /** Runs a statement that reads. */
  readonly read: RunWithin;
  /** Runs a statement in a transaction of its own. */
  readonly write: RunWithin;
}

/** The table of what runs have taken from their jobs, beside that of the runs. */
export const undoTable = (runs: string): string => `${runs}_undo`;

/** unique_violation, undefined_table. */
const [uniqueViolation, undefinedTable] = ['23505', '42P01'];

const milliseconds = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;

/** The columns of {@link KeptRun}. */
const shown = `id, queue_name, action, dry_run, rate, undoes, keeps, state, total::float8 as total, examined::float8 as examined,
  matched::float8 as matched, changed::float8 as changed, refused::text as refused, problem, cancelled, found,
  ${milliseconds('started_at')}::float8 as started_at, ${milliseconds('ended_at')}::float8 as ended_at`;

const claimed = `${shown}, spec, fence, "position"`;

const later = (secs: string): string =>
  `clock_timestamp() + make_interval(secs => ${secs}::float8)`;

const isWaiting = `state = 'running' and held_until < clock_timestamp()`;

/** A slot that no other run of the kind has, so that there are no more runs than slots. */
const freeSlot = (table: string, dryRun: string, id: string): string => `(
  select n from generate_series(1, ${mostRunning}) as n where not exists (
    select from ${table} as other where other.state = 'running' and other.dry_run = ${dryRun}
      and other.slot = n and other.id <> ${id}
  ) order by n limit 1)`;

function statementsOf(table: string, name: string) {
  return {
    create: [
      `create table if not exists ${table} (
        id text primary key,
        number bigint not null generated always as identity,
        queue_name text not null,
        action text not null,
        dry_run boolean not null,
        rate integer,
        undoes text,
        keeps boolean not null default false,
        slot integer,
        state text not null default 'running',
        spec text not null,
        "position" text,
        total bigint,
        examined bigint not null default 0,
        matched bigint not null default 0,
        changed bigint not null default 0,
        refused jsonb not null default '{}',
        problem text,
        found text,
        cancelled boolean not null default false,
        fence integer not null default 1,
        held_until timestamptz not null,
        started_at timestamptz not null default clock_timestamp(),
        ended_at timestamptz
      ) with (fillfactor = 50)`,
      `create unique index if not exists ${name}_queue on ${table} (queue_name, dry_run) where state = 'running'`,
      `create unique index if not exists ${name}_slot on ${table} (dry_run, slot) where state = 'running'`,
      `create table if not exists ${undoTable(table)} (
        run_id text not null references ${table} on delete cascade,
        number bigint not null generated always as identity,
        job_id text not null,
        was jsonb not null,
        primary key (run_id, number)
      )`,
    ],
    probe: `select count(held.oid) = 2 as found, has_schema_privilege(place.oid, 'CREATE') as creates,
        count(held.oid) = 2 and bool_and(has_table_privilege(held.oid, 'SELECT')) as reads,
        count(held.oid) = 2 and bool_and(has_table_privilege(held.oid, 'SELECT')
          and has_table_privilege(held.oid, 'INSERT') and has_table_privilege(held.oid, 'UPDATE')
          and has_table_privilege(held.oid, 'DELETE')) as writes
      from pg_namespace as place left join pg_class as held
        on held.relnamespace = place.oid and held.relname = any($2::text[])
      where place.nspname = coalesce($1::text, current_schema()) group by place.oid`,
    // Results that are old or too many, and runs that nobody has continued for long; those that wait have no slot.
    purge: `delete from ${table} where ended_at < clock_timestamp() - make_interval(secs => ${keptMs / 1000})
        or state = 'running' and held_until < clock_timestamp() - make_interval(secs => ${waitingMs / 1000})
        or ended_at is not null and number not in (
          select number from ${table} order by number desc limit ${mostKept})`,
    // The part of an owner that is late may hold its run for long: a start does not wait for it.
    free: `update ${table} set slot = null where id in (
        select id from ${table} where ${isWaiting} and slot is not null for update skip locked)`,
    start: `insert into ${table} (id, queue_name, action, dry_run, spec, held_until, rate, undoes, keeps, slot)
      select $1::text, $2::text, $3::text, $4::boolean, $5::text, ${later('$6')}, $7::integer, $8::text, $9::boolean, n
      from ${freeSlot(table, '$4::boolean', '$1')} as free where not exists (
        select from ${table} where state = 'running' and queue_name = $2 and dry_run = $4)
      on conflict do nothing returning ${claimed}`,
    running: `select id, queue_name, slot is not null as has_slot from ${table}
      where state = 'running' and dry_run = $1::boolean`,
    list: `select ${shown} from ${table} where ($1::text is null or id = $1)
        and (ended_at is null or ended_at > clock_timestamp() - make_interval(secs => ${keptMs / 1000}))
      order by number desc limit ${mostKept}`,
    waiting: `select id, queue_name from ${table} where ${isWaiting}`,
    claim: `update ${table} as run set fence = fence + 1, held_until = ${later('$2')},
        slot = ${freeSlot(table, 'run.dry_run', 'run.id')}
      where id = $1::text and ${isWaiting} and ${freeSlot(table, 'run.dry_run', 'run.id')} is not null
      returning ${claimed}`,
    write: `update ${table} as run set examined = examined + $3::bigint, matched = matched + $4::bigint,
        changed = changed + $5::bigint, refused = case when $6::text = '{}' then refused else (
          select jsonb_object_agg(reason, count) from (
            select reason, sum(n::bigint) as count from (
              select * from jsonb_each_text(run.refused) union all select * from jsonb_each_text($6::jsonb)
            ) as counts (reason, n) group by reason
          ) as sums) end,
        total = case when $7::boolean then $8::bigint else total end, "position" = coalesce($9::text, "position"),
        state = coalesce($10::text, state),
        spec = case when $10::text is null then spec else '' end,
        ended_at = case when $10::text is not null then clock_timestamp() end,
        problem = $11::text, held_until = ${later('$12')}, found = coalesce($13::text, found)
      where id = $1::text and fence = $2::integer and state = 'running' returning ${shown}`,
    cancel: `update ${table} as run set cancelled = true, (state, spec, ended_at) = (
        select case when waits then 'cancelled' else run.state end, case when waits then '' else run.spec end,
          case when waits then clock_timestamp() end
        from (select run.held_until < clock_timestamp() as waits) as now)
      where id = $1::text and state = 'running' returning ${shown}`,
  };
}

type Row = Readonly<Record<string, unknown>>;

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

function keptOf(row: Row): KeptRun {
  const { id, queue_name, action, dry_run, state, problem } = row;
  return {
    id: String(id),
    queueName: String(queue_name),
    action: action as BulkAction,
    dryRun: dry_run === true,
    rate: numberOrNull(row['rate']),
    undoes: typeof row['undoes'] === 'string' ? row['undoes'] : null,
    undoable: row['keeps'] === true && state !== 'running' && Number(row['changed']) > 0,
    state: state as BulkRun['state'],
    total: numberOrNull(row['total']),
    examined: Number(row['examined']),
    matched: Number(row['matched']),
    changed: Number(row['changed']),
    refused: JSON.parse(String(row['refused'])) as Partial<Record<ErrorKey, number>>,
    startedAt: Number(row['started_at']),
    endedAt: numberOrNull(row['ended_at']),
    cancelled: row['cancelled'] === true,
    ...(typeof row['found'] === 'string' && { found: foundOf(row['found']) }),
    ...(typeof problem === 'string' && { problem: JSON.parse(problem) as TranslatableMessage }),
  };
}

/** The parameters of `write`, beside the claim. */
function changeParameters(change: RunChange): unknown[] {
  const { examined = 0, matched = 0, changed = 0, refused = {}, total, position, problem } = change;
  const counted = Object.entries(refused).filter(([, count]) => count > 0);
  return [
    examined,
    matched,
    changed,
    JSON.stringify(Object.fromEntries(counted)),
    total !== undefined,
    total ?? null,
    position ?? null,
    change.end ?? null,
    change.end && problem ? JSON.stringify(problem) : null,
    change.release ? 0 : leaseMs / 1000,
    change.found ?? null,
  ];
}

/** Keeps runs in a table. */
export function sqlRunStore(given: RunTable): RunStore {
  const { key, schema, name, memory, read, write } = given;
  const table = schema === undefined ? name : `"${schema}".${name}`;
  const statements = statementsOf(table, name);
  /** Runs of the memory. */
  const local = new Set<string>();
  let warning: string | undefined;
  let isReady = false;

  /** Whether the table can be read; `writes` whether runs can be kept there. */
  const probe = async (): Promise<{ reads: boolean; writes: boolean; creates: boolean }> => {
    if (isReady) return { reads: true, writes: true, creates: true };
    const [row = {}] = await read(statements.probe, [schema ?? null, [name, undoTable(name)]]);
    const { found, creates, reads, writes } = row;
    isReady = writes === true;
    const isClosed = found === true ? writes !== true : creates === false;
    warning = isClosed
      ? `runs over many jobs are kept in the memory of this process only: the role of the board may not ${
          found === true ? 'write to' : 'create'
        } the table ${table}`
      : undefined;
    return { reads: reads === true, writes: isReady, creates: found !== true && !isClosed };
  };
  const create = async (): Promise<boolean> => {
    const { writes, creates } = await probe();
    if (writes || !creates) return writes;
    // Several instances may create them at once: of each statement, all but one may fail after the other has ended.
    for (let left = statements.create.length; ; left -= 1) {
      try {
        for (const text of statements.create) await write(text, []);
        return (await probe()).writes;
      } catch (error) {
        const after = await probe();
        if (after.writes || postgresqlErrorClass(error) === 'forbidden') return after.writes;
        if (left === 0) throw error;
      }
    }
  };
  /** The rows of a table that may be missing. */
  const rowsOf = async (text: string, values: unknown[], how = read): Promise<readonly Row[]> => {
    if (!(await probe()).reads) return [];
    try {
      return await how(text, values);
    } catch (error) {
      if (sqlState(error) !== undefinedTable) throw error;
      isReady = false;
      return [];
    }
  };
  const claimOf = (row: Row): ClaimedRun => ({
    id: String(row['id']),
    fence: Number(row['fence']),
    marks: false,
    keeps: row['keeps'] === true,
    run: keptOf(row),
    spec: String(row['spec']),
    ...(typeof row['found'] === 'string' && { found: row['found'] }),
    position: typeof row['position'] === 'string' ? row['position'] : undefined,
  });

  return {
    key,
    get warning() {
      return warning;
    },
    async start(run) {
      if (!(await create())) {
        const started = await memory.start(run);
        if (started !== 'limit' && 'run' in started) local.add(run.id);
        return started;
      }
      const {
        id,
        queueName,
        action,
        dryRun,
        spec,
        rate = null,
        undoes = null,
        keeps = false,
      } = run;
      for (;;) {
        await write(statements.purge, []);
        await write(statements.free, []);
        const values = [id, queueName, action, dryRun, spec, leaseMs / 1000, rate, undoes, keeps];
        const [row] = await write(statements.start, values);
        if (row) return claimOf(row);
        const running = await write(statements.running, [dryRun]);
        const other = running.find((each) => each['queue_name'] === queueName);
        if (other) return { running: String(other['id']) };
        if (running.filter((each) => each['has_slot'] === true).length >= mostRunning)
          return 'limit';
        // Another run has begun with the same slot.
      }
    },
    async list(id) {
      const rows = await rowsOf(statements.list, [id ?? null]);
      return [...(await memory.list(id)), ...rows.map(keptOf)];
    },
    async waiting() {
      const rows = await rowsOf(statements.waiting, []);
      return rows.map((row) => ({ id: String(row['id']), queueName: String(row['queue_name']) }));
    },
    async claim(id) {
      try {
        const [row] = await rowsOf(statements.claim, [id, leaseMs / 1000], write);
        return row && claimOf(row);
      } catch (error) {
        // Another run has begun with the same slot.
        if (sqlState(error) === uniqueViolation) return undefined;
        throw error;
      }
    },
    async write(claim, change, within) {
      if (local.has(claim.id)) return memory.write(claim, change);
      const values = [claim.id, claim.fence, ...changeParameters(change)];
      const [row] = within
        ? await within(statements.write, values)
        : await rowsOf(statements.write, values, write);
      return row && keptOf(row);
    },
    async cancel(id) {
      if (local.has(id)) return memory.cancel(id);
      const [row] = await rowsOf(statements.cancel, [id], write);
      return row && keptOf(row);
    },
  };
}
