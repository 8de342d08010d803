/** Plans of MariaDB, with the rows that each table has given. */

import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { Sent, Told } from './told.ts';

type Json = { readonly [name: string]: unknown };

interface Found {
  readonly scans: string[];
  readonly sorted: number[];
  read: number;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Rows that a table has given in all. */
const rowsOf = (table: Json): number =>
  Number(table['r_rows'] ?? 0) * Number(table['r_loops'] ?? 0);

/** Rows that leave the last table of a join, without those of the selects inside it. */
function rowsOut(node: unknown): number {
  if (Array.isArray(node)) return node.map(rowsOut).at(-1) ?? 0;
  if (!isJson(node)) return 0;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'table' && isJson(value))
      return (rowsOf(value) * Number(value['r_filtered'] ?? 100)) / 100;
    if (
      /^(?:temporary_table|nested_loop|block-nl-join|read_sorted_file|filesort|duplicate_removal)$/.test(
        name,
      )
    )
      return rowsOut(value);
  }
  return 0;
}

function look(node: unknown, into: Found): void {
  if (Array.isArray(node)) {
    for (const member of node) look(member, into);
    return;
  }
  if (!isJson(node)) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'table' && isJson(value) && Number(value['r_loops']) > 0) {
      into.read += rowsOf(value);
      if (value['access_type'] === 'ALL' && !String(value['table_name']).startsWith('<')) {
        into.scans.push(String(value['table_name']));
      }
    }
    if (name === 'filesort' && isJson(value) && Number(value['r_loops']) > 0) {
      into.sorted.push(rowsOut(value));
    }
    look(value, into);
  }
}

export async function explained(client: Connection, { text, values }: Sent): Promise<Told[]> {
  const [rows] = await client.query<RowDataPacket[]>(`analyze format=json ${text}`, [...values]);
  const plan = String(rows[0]?.['ANALYZE']);
  const found: Found = { scans: [], sorted: [], read: 0 };
  look(JSON.parse(plan), found);
  return [{ ...found, text: plan }];
}
