/** The driver as a list endpoint that a careful person writes by hand, with statements that are prepared once. */

import Database from 'better-sqlite3';
import { type Contender, type Parameter, peer } from './contender.ts';
import {
  type Body,
  type UserRow,
  companyBody,
  companyPage,
  newestPages,
  requestsByHand,
} from './endpoint.ts';
import { type StoredUser, countSql, pages, present } from './raw-sqlite.ts';
import type { RequestValues } from './requests.ts';
import { sqliteFile } from './services.ts';

/** An endpoint of Q0 and Q7. */
export function endpointSqlite(values: readonly RequestValues[]): Contender {
  const db = new Database(sqliteFile());
  const statements = {
    Q0p: db.prepare<number[], StoredUser>(pages.Q0),
    Q0c: db.prepare<number[], { readonly total: number }>(countSql('Q0', true)),
    Q7p: db.prepare<number[], StoredUser>(pages.Q7),
  };
  const newest = newestPages(values);

  function rows(statement: 'Q0p' | 'Q7p', ...bound: number[]): UserRow[] {
    return statements[statement].all(...bound).map(present);
  }

  function ofCompany(parameter: Parameter): Body {
    const asked = companyPage(parameter);
    const { company, perPage, page } = asked;
    const data = rows('Q0p', company, perPage, (page - 1) * perPage);
    return companyBody(asked, data, statements.Q0c.get(company)?.total ?? 0);
  }

  function newestAfter(parameter: Parameter, cursor: string): Body {
    const asked = newest.read(parameter, cursor);
    const created = Date.parse(asked.createdAt);
    const active = asked.active ? 1 : 0;
    const found = rows('Q7p', active, created, created, Number(asked.id), asked.perPage + 1);
    return newest.body(asked, found);
  }

  const answer = (parameter: Parameter): Body => {
    const cursor = parameter('cursor');
    return typeof cursor === 'string' ? newestAfter(parameter, cursor) : ofCompany(parameter);
  };
  const { requests, query, parameters } = requestsByHand(values, newest.cursorAfter);
  return {
    name: peer.sqliteEndpoint,
    requests,
    byHand: { query, answer: async (parameter) => answer(parameter) },
    answer: (request, _values, variant) => answer(parameters(request, variant)),
    close: () => void db.close(),
  };
}
