/**
 * The driver as a list endpoint that a careful person writes by hand: it reads the query string, tells whether there is a
 * next page, decodes the cursor that it receives and writes both cursors. Its answers are those of Sluice, byte for byte.
 */

import pg from 'pg';
import { planQuery } from '../../src/index.ts';
import { textHash } from '../../src/rules/plan/text-hash.ts';
import { type Answer, type Contender, type Parameter, peer } from './contender.ts';
import { counts, pages } from './raw-pg.ts';
import { type RequestName, type RequestValues, queryString } from './requests.ts';
import { postgresPool } from './services.ts';
import { userRegistry } from './sluice-sql.ts';
import { listRules } from './sluice.ts';

/** A body with the members that describe the page. */
interface Body extends Answer {
  readonly [member: string]: unknown;
}

interface UserRow {
  readonly id: number;
  readonly createdAt: Date;
}

const most = 500;

/** A whole number from 1; 400 would be the answer to any other value. */
function wholeNumber(text: unknown, otherwise: number | undefined): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value === undefined || !Number.isInteger(value) || value < 1) throw new TypeError('400');
  return value;
}

/**
 * Cursors as a person writes them: the position of a row as JSON in base64url, behind a hash that shows changes. `binding`
 * stands for endpoint, order and filters; both are Sluice's own, which makes the bytes the same.
 */
function cursorsOf(binding: string) {
  const hashOf = (body: string): string => `1${textHash(`${binding}\n${body}`)}`;
  return {
    write(direction: 'a' | 'b', { id, createdAt }: UserRow): string {
      const body = `${direction}${JSON.stringify([createdAt, String(id)])}`;
      return Buffer.from(`${hashOf(body)}.${body}`, 'latin1').toString('base64url');
    },
    /** The values behind which a page begins. Pages backwards are not measured, so they are not implemented. */
    read(cursor: string): readonly [createdAt: string, id: string] {
      const text = Buffer.from(cursor, 'base64url').toString('latin1');
      const dot = text.indexOf('.');
      const body = text.slice(dot + 1);
      if (text.slice(0, dot) !== hashOf(body) || !body.startsWith('a')) throw new TypeError('400');
      return JSON.parse(body.slice(1)) as [string, string];
    },
  };
}

/** The driver with named prepared statements, as an endpoint of Q0 and Q7. */
export function endpointPostgres(values: readonly RequestValues[]): Contender {
  const pool = new pg.Pool(postgresPool());
  const [some] = values as readonly [RequestValues];
  const { page } = planQuery(queryString('Q7', some, ''), listRules(userRegistry()));
  if (page.mode !== 'keyset') throw new TypeError('Q7 must be a page by cursor.');
  const cursors = cursorsOf(page.binding);

  async function rows<R extends object>(
    name: 'Q0p' | 'Q0c' | 'Q7p',
    text: string,
    bound: unknown[],
  ): Promise<R[]> {
    return (await pool.query<R>({ name, text, values: bound })).rows;
  }

  async function ofCompany(parameter: Parameter): Promise<Body> {
    const company = wholeNumber(parameter('filter[company.id][eq]'), undefined);
    const perPage = wholeNumber(parameter('perPage'), 20);
    const page = wholeNumber(parameter('page'), 1);
    if (perPage > most) throw new TypeError('400');
    const [data, [counted]] = await Promise.all([
      rows('Q0p', pages.Q0, [company, perPage, (page - 1) * perPage]),
      rows<{ readonly total: number }>('Q0c', counts.Q0, [company]),
    ]);
    const total = counted?.total ?? 0;
    return { data, page, perPage, total, lastPage: Math.max(1, Math.ceil(total / perPage)) };
  }

  async function newest(parameter: Parameter, cursor: string): Promise<Body> {
    const active = parameter('filter[active][eq]');
    if (active !== 'true' && active !== 'false') throw new TypeError('400');
    if (parameter('sort') !== '-createdAt') throw new TypeError('400');
    const perPage = wholeNumber(parameter('perPage'), 20);
    if (perPage > most) throw new TypeError('400');
    const [createdAt, id] = cursors.read(cursor);
    const bound = [active === 'true', createdAt, id, perPage + 1];
    const found = await rows<UserRow>('Q7p', pages.Q7, bound);
    const hasMore = found.length > perPage;
    const data = hasMore ? found.slice(0, perPage) : found;
    const [first, last] = [data[0], data.at(-1)];
    return {
      data,
      perPage,
      nextCursor: hasMore && last ? cursors.write('a', last) : null,
      prevCursor: first ? cursors.write('b', first) : null,
    };
  }

  const answer = async (parameter: Parameter): Promise<Body> => {
    const cursor = parameter('cursor');
    return typeof cursor === 'string' ? newest(parameter, cursor) : ofCompany(parameter);
  };
  const queries = new Map<RequestName, string[]>(
    requests.map((name) => [
      name,
      values.map((value) => queryString(name, value, cursors.write('a', value.after))),
    ]),
  );
  const query = (request: RequestName, variant: number): string =>
    queries.get(request)?.[variant] ?? '';
  return {
    name: peer.pgEndpoint,
    requests,
    byHand: { query, answer },
    answer(request, _values, variant) {
      const parameters = new URLSearchParams(query(request, variant));
      return answer((name) => parameters.get(name) ?? undefined);
    },
    close: () => pool.end(),
  };
}

const requests = ['Q0', 'Q7'] as const;
