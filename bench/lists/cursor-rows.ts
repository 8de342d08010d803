/** The rows after which the variants of Q7 start, read with plain SQL. */

import Database from 'better-sqlite3';
import { cursorOffset, perPage, variantCount } from './requests.ts';
import type { After } from './requests.ts';
import { sqliteFile } from './services.ts';

/** Every twentieth row of Q5's order, the first being the last of page 1999. */
export function cursorRows(): After[] {
  const db = new Database(sqliteFile(), { readonly: true });
  const rows = db
    .prepare(
      `select created_at as createdAt, id from users where active = 1
       order by created_at desc, id desc limit ? offset ?`,
    )
    .all(variantCount * perPage, cursorOffset - 1) as { createdAt: number; id: number }[];
  db.close();
  return rows
    .filter((_, index) => index % perPage === 0)
    .map((row) => ({ createdAt: new Date(row.createdAt), id: row.id }));
}
