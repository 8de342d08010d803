/** The index of a companion column: its name and the statements that create it. */

import type { Knex } from 'knex';
import type { CompanionDialect, TableState } from './dialect.ts';
import type { CompanionColumn } from './plan.ts';

/**
 * The statements that create the index of a companion column: none if it exists, with a preceding drop if an
 * interrupted build left it invalid.
 */
export async function indexStatements(
  knex: Knex,
  dialect: CompanionDialect,
  state: TableState,
  companion: CompanionColumn,
): Promise<readonly string[]> {
  const name = indexName(state.task.table.name, companion.column, dialect.maxNameBytes);
  const found = await dialect.findIndex(knex, state, name);
  if (found !== null && found.dropFirst === null) return [];
  const drop = found?.dropFirst ?? null;
  return [...(drop === null ? [] : [drop]), dialect.createIndex(state, companion, name)];
}

/**
 * `<table>_<column>_idx`; a name that is too long is truncated and gets a hash of the full name.
 *
 * @param maxBytes maximum length of a name in bytes
 */
export function indexName(table: string, column: string, maxBytes: number): string {
  const full = `${table}_${column}_idx`;
  const encoder = new TextEncoder();
  if (encoder.encode(full).length <= maxBytes) return full;
  const suffix = `_${hash(full)}_idx`;
  let start = '';
  for (const character of full) {
    if (encoder.encode(start + character).length + suffix.length > maxBytes) break;
    start += character;
  }
  return start + suffix;
}

/** 32-bit FNV-1a hash of the UTF-16 code units. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}
