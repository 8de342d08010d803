/** Assembles a page from the rows of its statement and those of its `many` includes. */

import { QueryError } from '../../schema/index.ts';
import { type PageRows, type ResolvedPlan, type Row, markTruncated } from '../../rules/index.ts';
import type { CompiledChild } from '../compile/compile-include.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { Rows } from './executor.ts';
import { type NodeReader, type Waiting, keyText, readRow } from './reader.ts';
import type { StatementInputs, StatementText } from '../compile/sql-text.ts';
import { keptRows, placedPage } from './window.ts';

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
