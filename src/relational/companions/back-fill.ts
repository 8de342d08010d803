/** Fills the companion columns of one table in batches, in the order of the primary key. */

import type { Knex } from 'knex';
import { countStatement, property } from './dialect.ts';
import type { CompanionDialect, PassMode, ReadRow, TableState, WriteRow } from './dialect.ts';
import type { CompanionOptions, RefusedValues } from './options.ts';
import { withRetry } from './retry.ts';
import { foldText, portableOrderKey, QueryError } from '../../schema/index.ts';
import type { CompanionColumn } from './plan.ts';

/** Result of filling one table. */
interface BackFillResult {
  readonly updated: number;
  readonly refused: readonly RefusedValues[];
  /** Rows not written because another connection changed them in every pass. */
  readonly unsettled: number;
}

const defaultBatch = 1000;
/** Limit for the values of one statement, in characters, because databases limit the size of a statement. */
const maxCharacters = 4_000_000;
/** A row that another connection changes between read and update is retried in the next pass. */
const maxPasses = 5;
const maxExamples = 5;

/** Fills until no row is left; with `recheck`, until every row has been compared. */
export async function backFill(
  knex: Knex,
  dialect: CompanionDialect,
  state: TableState,
  options: CompanionOptions,
): Promise<BackFillResult> {
  const mode: PassMode = options.recheck === true ? 'recheck' : 'fill';
  const counted = dialect.rows(await knex.raw(countStatement(dialect, state, mode)));
  let total = Number(counted[0]?.['n'] ?? 0);
  let scanned = 0;
  let updated = 0;
  const { model, table } = state.task;
  const report = (rows: number, changed: number) => {
    scanned += rows;
    updated += changed;
    // Concurrent inserts and later passes can raise the count above the initial total.
    total = Math.max(total, scanned);
    options.onProgress?.({ model, table: table.name, scanned, updated, total });
  };
  let last: PassResult = { refused: [], unsettled: 0 };
  for (let pass = 1; pass <= maxPasses && total > 0; pass += 1) {
    last = await runPass(knex, dialect, state, mode, options, report);
    if (last.unsettled === 0) break;
  }
  return { updated, ...last };
}

type PassResult = Omit<BackFillResult, 'updated'>;

async function runPass(
  knex: Knex,
  dialect: CompanionDialect,
  state: TableState,
  mode: PassMode,
  options: CompanionOptions,
  report: (rows: number, changed: number) => void,
): Promise<PassResult> {
  const batch = options.batch ?? defaultBatch;
  const refusals = new Map<string, { rows: number; keys: string[][] }>();
  let unsettled = 0;
  let after: readonly unknown[] | null = null;
  for (;;) {
    options.signal?.throwIfAborted();
    const read = dialect.readRows(state, mode, after, batch);
    const answer = await knex.raw(read.sql, [...read.bindings] as Knex.RawBinding[]).options({
      ...dialect.readOptions,
    });
    const rows = dialect.rows(answer).map((row) => readRow(state, row));
    const writes: WriteRow[] = [];
    for (const row of rows) {
      const values = computed(state, row, refusals);
      if (values.some((value, i) => value !== row.current[i])) {
        writes.push({ keys: row.keys, sources: row.sources, values });
      }
    }
    let changed = 0;
    for (const chunk of chunks(writes, dialect.maxRows(state))) {
      const write = dialect.writeRows(state, chunk);
      const run = () =>
        Promise.resolve(knex.raw(write.sql, [...write.bindings] as Knex.RawBinding[]));
      changed += dialect.affected(await withRetry(run, dialect.isTransient, options.signal));
    }
    unsettled += writes.length - changed;
    if (rows.length > 0) report(rows.length, changed);
    if (rows.length < batch) break;
    after = rows.at(-1)?.keys ?? null;
  }
  const refused = [...refusals].map(([path, { rows, keys }]) => ({ path, rows, keys }));
  return { refused, unsettled };
}

function readRow(state: TableState, row: { readonly [column: string]: unknown }): ReadRow {
  const text = (name: string) => {
    const value = property(row, name);
    return value === null || value === undefined ? null : String(value);
  };
  const { keys, companions } = state.task;
  return {
    keys: keys.map((_, i) => row[`k${i}`]),
    sources: companions.map((_, i) => text(`s${i}`)),
    current: companions.map((_, i) => text(`c${i}`)),
  };
}

/** Computes the companion values of a row. If a source value is invalid, the stored companion is kept. */
function computed(
  state: TableState,
  row: ReadRow,
  refusals: Map<string, { rows: number; keys: string[][] }>,
): (string | null)[] {
  return state.task.companions.map((companion, i) => {
    const source = row.sources[i] ?? null;
    if (source === null) return null;
    const value = companionValue(companion, source);
    if (value !== undefined) return value;
    const { path } = companion.field;
    const refused = refusals.get(path) ?? { rows: 0, keys: [] };
    refused.rows += 1;
    if (refused.keys.length < maxExamples) refused.keys.push(row.keys.map(String));
    refusals.set(path, refused);
    return row.current[i] ?? null;
  });
}

/** Splits rows into chunks that fit into one statement. */
function* chunks(rows: readonly WriteRow[], maxRows: number): Generator<readonly WriteRow[]> {
  let chunk: WriteRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const size = [...row.sources, ...row.values].reduce(
      (sum, text) => sum + (text?.length ?? 0),
      0,
    );
    if (chunk.length > 0 && (chunk.length >= maxRows || characters + size > maxCharacters)) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(row);
    characters += size;
  }
  if (chunk.length > 0) yield chunk;
}

const instantForm = /^([0-9-]{10})[T ]([0-9:.]+)(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?$/;

/** The companion value, or `undefined` if the source value does not fit the field's kind. */
export function companionValue(companion: CompanionColumn, text: string): string | undefined {
  if (companion.role === 'folded') return foldText(text);
  const { field } = companion;
  try {
    return portableOrderKey(field, field.kind === 'datetime' ? isoInstant(text) : text);
  } catch (error) {
    if (error instanceof QueryError && error.code === 'FILTER_VALUE_INVALID') return undefined;
    throw error;
  }
}

/** Converts a database's form of an instant (a space for `T`, `+00` for `+00:00`, no offset for UTC) to ISO 8601. */
function isoInstant(text: string): string {
  const parts = instantForm.exec(text);
  if (parts === null) return text;
  const [, day, time, zone = 'Z'] = parts;
  const offset =
    zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  return `${day}T${time}${offset}`;
}
