/**
 * Converts driver rows (arrays) to presented objects, by readers compiled once per statement, and assembles a page from the
 * rows of its statement, cut and in its order, and those of its `many` includes.
 */

import { type FieldKind, kindRow, QueryError } from '../../schema/index.ts';
import { type Row, type PageRows, type ResolvedPlan, markTruncated } from '../../rules/index.ts';
import type { PhysicalColumn } from '../compile/physical.ts';
import { uuidText } from '../compile/values/uuid-bytes.ts';
import type { CompiledChild } from '../compile/compile-include.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { Rows } from './executor.ts';
import { presentJsonArray } from './json-arrays.ts';
import type { StatementInputs, StatementText } from '../compile/sql-text.ts';
import type { WindowSize } from '../compile/page/window.ts';

type Present = (value: unknown) => unknown;

const textDecoder = new TextDecoder();

/** Keeps the digits of whole numbers that a double cannot hold, as text. */
function exactNumber(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}

/** The shortest number that is the same in single precision: `0.1` for `0.10000000149011612`. */
function shortestSingle(value: number): number {
  const single = Math.fround(value);
  const found = [6, 7, 8].map((digits) => Number(value.toPrecision(digits)));
  return found.find((short) => Math.fround(short) === single) ?? value;
}

/** The value of JSON text; `null` for other text, which columns without a type of their own may hold. */
function parsedJson(text: string, reviver?: typeof exactNumber): unknown {
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch {
    return null;
  }
}

/** Converts a stored value to the input of its kind's presenter; `null` where no conversion is needed. */
function unstored({ kind, storage }: PhysicalColumn): Present | null {
  switch (storage) {
    case 'single':
      return (value) => shortestSingle(Number(value));
    case 'epoch-seconds':
      return (value) => Number(value) * 1000;
    case 'uuid-bytes':
      return uuidText;
    case 'json-text':
    case 'json-number':
      if (kind !== 'json') return (value) => parsedJson(String(value), exactNumber);
      return (value) => parsedJson(String(value));
    case 'json-blob':
      return (value) => parsedJson(textDecoder.decode(value as Uint8Array));
    case 'native':
    case 'epoch-milliseconds':
    case 'iso-text':
    case 'blank-text':
    case 'short-text':
    case 'offset-text':
    case 'numeric-text':
      return null;
  }
}

/** Converts a column's value to its presented form; nulls are handled by the caller. */
export function presenter(column: PhysicalColumn): Present {
  const { codec } = column;
  if (codec) return (value) => codec.read(value);
  const { present } = kindRow(column.kind);
  const { items } = kindRow(column.kind);
  const decode = items && column.member ? presentJsonArray(items) : unstored(column);
  return decode ? (value) => present(decode(value)) : present;
}

/** Like `presenter`, but `null` where every driver returns the presented value: text from a text column. */
function fieldPresenter(column: PhysicalColumn): Present | null {
  const isText =
    !column.codec &&
    column.kind === 'string' &&
    /^(text|varchar|character varying)/i.test(column.sqlType);
  return isText ? null : presenter(column);
}

/** Describes the column that a field is read from. */
export interface FieldReader {
  readonly name: string;
  readonly index: number;
  readonly present: Present | null;
  /** The kind as which stored values are presented; `null` where the host's codec or another storage converts them. */
  readonly kind: FieldKind | null;
}

/** The reader of a field. */
export function fieldReader(name: string, index: number, column: PhysicalColumn): FieldReader {
  const isOwn = !column.codec && unstored(column) === null;
  return { name, index, present: fieldPresenter(column), kind: isOwn ? column.kind : null };
}

/** Describes the columns of a row that form one object. */
export interface NodeReader {
  readonly fields: readonly FieldReader[];
  /** Included relations in the order of the plan, which is the order of the properties in the result. */
  readonly relations: readonly (OneReader | ManyReader)[];
}

/** An included `one` relation; absent when the marker column is null. */
export interface OneReader {
  readonly cardinality: 'one';
  readonly name: string;
  readonly marker: number;
  readonly node: NodeReader;
}

/** An included `many` relation: the index of its child read, and the indexes of its key columns. */
export interface ManyReader {
  readonly cardinality: 'many';
  readonly name: string;
  readonly child: number;
  readonly keys: readonly number[];
}

/** A list to fill: the rows of a relation of its owner. */
interface WaitingList {
  readonly owner: Row;
  readonly name: string;
  readonly rows: Row[];
}

/** The parents whose lists one `many` include fills. */
export interface Waiting {
  /** Distinct key tuples in the driver's form. */
  readonly keys: (readonly unknown[])[];
  /** The lists to fill, by key. */
  readonly lists: Map<string, WaitingList[]>;
}

/** A text that is equal for equal key tuples. */
export function keyText(values: readonly unknown[]): string {
  return values.length === 1 ? partText(values[0]) : JSON.stringify(values.map(partText));
}

/** Bytes are written as numbers: decoded as text, different bytes could become equal. */
function partText(value: unknown): string {
  return value instanceof Uint8Array ? Array.from(value).join() : String(value);
}

/** The object of a row. `waiting` has an entry for each `many` include of the statement. */
export function readRow(
  node: NodeReader,
  row: readonly unknown[],
  waiting: readonly Waiting[],
): Row {
  const object: Row = {};
  for (const { name, index, present } of node.fields) {
    const value = row[index];
    if (value === null || value === undefined) object[name] = null;
    else object[name] = present === null ? value : present(value);
  }
  for (const relation of node.relations) {
    object[relation.name] =
      relation.cardinality === 'one'
        ? readOne(relation, row, waiting)
        : awaitMany(relation, object, row, waiting);
  }
  return object;
}

function readOne(
  { marker, node }: OneReader,
  row: readonly unknown[],
  waiting: readonly Waiting[],
): Row | null {
  const absent = row[marker] === null || row[marker] === undefined;
  return absent ? null : readRow(node, row, waiting);
}

function awaitMany(
  { child, keys, name }: ManyReader,
  owner: Row,
  row: readonly unknown[],
  waiting: readonly Waiting[],
): Row[] {
  const rows: Row[] = [];
  const tuple = keys.map((index) => row[index]);
  enlist(waiting[child] as Waiting, tuple, { owner, name, rows });
  return rows;
}

function enlist({ keys, lists }: Waiting, tuple: readonly unknown[], list: WaitingList) {
  if (tuple.some((value) => value === null || value === undefined)) return;
  const text = keyText(tuple);
  const known = lists.get(text);
  if (known) {
    known.push(list);
    return;
  }
  lists.set(text, [list]);
  keys.push(tuple);
}

type DriverRow = readonly unknown[];

/** Runs the statement of an include for the keys of its parents and returns its rows as arrays. */
type ReadChildren = (
  statement: StatementText,
  keys: StatementInputs['keys'],
) => Promise<Rows> | Rows;

const noParents: readonly Waiting[] = [];

/** Cuts driver rows to the page, presents them and fills their `many` includes; a promise only where there are any. */
export function readPage(
  plan: ResolvedPlan,
  compiled: CompiledPlan,
  driverRows: Rows,
  read: ReadChildren,
): PageRows | Promise<PageRows> {
  const { node, children, orderColumns } = compiled;
  assertWidth(driverRows, compiled);
  const { kept, hasMore } = keptRows(plan, compiled, driverRows as DriverRow[]);
  const place = (at: number) => orderColumns.map(({ index, text }) => text(kept[at]?.[index]));
  const page = (rows: Row[]): PageRows =>
    plan.page.mode === 'keyset' ? placedPage(rows, hasMore, kept.length, place) : { rows, hasMore };
  return children.length === 0
    ? page(kept.map((row) => readRow(node, row, noParents)))
    : assemble(node, children, kept, read).then(page);
}

/** Rows that were objects with equal column names are shorter than the select list. */
function assertWidth([first]: Rows, { data }: CompiledPlan): void {
  if (!first || first.length >= data.parts.columns.length) return;
  throw new QueryError(
    'ADAPTER_CONTRACT_VIOLATION',
    'The executor returned rows with fewer values than the statement selects.',
    {},
  );
}

async function assemble(
  node: NodeReader,
  children: readonly CompiledChild[],
  driverRows: Rows,
  read: ReadChildren,
): Promise<Row[]> {
  const waiting = children.map((): Waiting => ({ keys: [], lists: new Map() }));
  const rows = driverRows.map((row) => readRow(node, row, waiting));
  for (const [index, child] of children.entries()) {
    await fill(child, waiting[index] as Waiting, read);
  }
  return rows;
}

async function fill(child: CompiledChild, { keys, lists }: Waiting, read: ReadChildren) {
  for (let at = 0; at < keys.length; at += child.maxKeys) {
    await fillFor(child, keys.slice(at, at + child.maxKeys), lists, read);
  }
}

async function fillFor(
  child: CompiledChild,
  keys: Waiting['keys'],
  lists: Waiting['lists'],
  read: ReadChildren,
) {
  const { maxChildren = Infinity, keyLength, matched } = child;
  const listsOf =
    ({ type, at }: CompiledChild['parent']) =>
    (row: DriverRow) =>
      lists.get(
        keyText(type === 'key' ? row.slice(at, at + keyLength) : (keys[Number(row[at])] ?? [])),
      );
  let found = await read(child.statement(keys.length), keys);
  let waiting = found.map(listsOf(child.parent));
  // The database takes the key of a row for that of a parent, from which it differs as text.
  if (matched && waiting.includes(undefined)) {
    found = await read(matched.statement(keys.length), keys);
    waiting = found.map(listsOf(matched.parent));
  }
  // Rows beyond the limit are not rows of the answer, but the sign that there are more.
  const counts = new Map<unknown, number>();
  const isKept = waiting.map((of) => {
    const count = (counts.get(of) ?? 0) + 1;
    counts.set(of, count);
    return count <= maxChildren;
  });
  const kept = found.filter((_, index) => isKept[index]);
  const rows = await assemble(child.node, child.children, kept, read);
  let at = 0;
  for (const [index, of] of waiting.entries()) {
    const row = isKept[index] ? rows[at++] : undefined;
    // A child that several parents on the page share is one object in each of their lists.
    for (const list of of ?? []) {
      if (row) list.rows.push(row);
      else markTruncated(list.owner, list.name);
    }
  }
}

/** The rows of the page in its order. `rows` may contain one more row, and may be reversed in place. */
export function keptRows<T>(
  { page }: ResolvedPlan,
  { take, reversed }: Pick<WindowSize, 'take' | 'reversed'>,
  rows: T[],
): { readonly kept: T[]; readonly hasMore: boolean } {
  const hasMore = rows.length > take;
  // A list that must be complete is refused when it is not.
  if (hasMore && page.mode === 'all') return { kept: [], hasMore };
  const kept = hasMore ? rows.slice(0, take) : rows;
  if (reversed) kept.reverse();
  return { kept, hasMore };
}

/** A keyset page of `count` rows; `place` returns the order values of a row as texts. */
export function placedPage<R>(
  rows: R[],
  hasMore: boolean,
  count: number,
  place: NonNullable<PageRows['place']>,
): PageRows<R> {
  return count === 0
    ? { rows, hasMore }
    : { rows, hasMore, first: place(0), last: place(count - 1), place };
}
