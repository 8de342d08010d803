/** The driver as a list endpoint that a careful person writes by hand, with named prepared statements. */

import pg from 'pg';
import { type Contender, type Parameter, peer } from './contender.ts';
import {
  type Body,
  type UserRow,
  companyBody,
  companyPage,
  newestPages,
  requestsByHand,
} from './endpoint.ts';
import { counts, pages } from './raw-pg.ts';
import type { RequestValues } from './requests.ts';
import { postgresPool } from './services.ts';

/** An endpoint of Q0 and Q7. */
export function endpointPostgres(values: readonly RequestValues[]): Contender {
  const pool = new pg.Pool(postgresPool());
  const newest = newestPages(values);

  async function rows<R extends object>(
    name: 'Q0p' | 'Q0c' | 'Q7p',
    text: string,
    bound: unknown[],
  ): Promise<R[]> {
    return (await pool.query<R>({ name, text, values: bound })).rows;
  }

  async function ofCompany(parameter: Parameter): Promise<Body> {
    const asked = companyPage(parameter);
    const { company, perPage, page } = asked;
    const [data, [counted]] = await Promise.all([
      rows('Q0p', pages.Q0, [company, perPage, (page - 1) * perPage]),
      rows<{ readonly total: number }>('Q0c', counts.Q0, [company]),
    ]);
    return companyBody(asked, data, counted?.total ?? 0);
  }

  async function newestAfter(parameter: Parameter, cursor: string): Promise<Body> {
    const asked = newest.read(parameter, cursor);
    const { active, createdAt, id, perPage } = asked;
    const found = await rows<UserRow>('Q7p', pages.Q7, [active, createdAt, id, perPage + 1]);
    return newest.body(asked, found);
  }

  const answer = async (parameter: Parameter): Promise<Body> => {
    const cursor = parameter('cursor');
    return typeof cursor === 'string' ? newestAfter(parameter, cursor) : ofCompany(parameter);
  };
  const { requests, query, parameters } = requestsByHand(values, newest.cursorAfter);
  return {
    name: peer.pgEndpoint,
    requests,
    byHand: { query, answer },
    answer: (request, _values, variant) => answer(parameters(request, variant)),
    close: () => pool.end(),
  };
}
