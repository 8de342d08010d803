/** The driver as a list endpoint that a careful person writes by hand, with statements that are prepared once. */

import Database from 'better-sqlite3';
import { type Contender, peer } from './contender.ts';
import { endpointByHand } from './endpoint.ts';
import { type StoredUser, countSql, pages, present } from './raw-sqlite.ts';
import type { RequestValues } from './requests.ts';
import { sqliteFile } from './services.ts';

/** An endpoint of Q0 and Q7. */
export function endpointSqlite(values: readonly RequestValues[]): Contender {
  const db = new Database(sqliteFile());
  const ofCompany = db.prepare<number[], StoredUser>(pages.Q0);
  const counted = db.prepare<number[], { readonly total: number }>(countSql('Q0', true));
  const newest = db.prepare<number[], StoredUser>(pages.Q7);
  return endpointByHand(
    peer.sqliteEndpoint,
    values,
    {
      company: ({ company, perPage, page }) => ({
        rows: ofCompany.all(company, perPage, (page - 1) * perPage).map(present),
        total: counted.get(company)?.total ?? 0,
      }),
      newest({ active, createdAt, id, perPage }) {
        const created = Date.parse(createdAt);
        const bound = [active ? 1 : 0, created, created, Number(id), perPage + 1];
        return newest.all(...bound).map(present);
      },
    },
    () => void db.close(),
  );
}
