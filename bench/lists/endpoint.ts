/**
 * The parts of a list endpoint by hand that do not depend on the driver: it reads the query string, decodes the cursor that it
 * receives, tells whether there is a next page and writes both cursors. Its bodies are those of Sluice, byte for byte.
 */

import { planQuery } from '../../src/index.ts';
import { textHash } from '../../src/rules/plan/cursor/text-hash.ts';
import type { Answer, Contender, Parameter } from './contender.ts';
import { type RequestName, type RequestValues, queryString } from './requests.ts';
import { userRegistry } from './sluice-sql.ts';
import { listRules } from './sluice.ts';

/** A body with the members that describe the page. */
interface Body extends Answer {
  readonly [member: string]: unknown;
}

export interface UserRow {
  readonly id: number;
  readonly createdAt: Date;
}

/** The requests that are written by hand. */
const requests = ['Q0', 'Q7'] as const;

const most = 500;

/** A whole number from 1; 400 would be the answer to any other value. */
function wholeNumber(text: unknown, otherwise: number | undefined): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value === undefined || !Number.isInteger(value) || value < 1) throw new TypeError('400');
  return value;
}

function pageSize(parameter: Parameter): number {
  const perPage = wholeNumber(parameter('perPage'), 20);
  if (perPage > most) throw new TypeError('400');
  return perPage;
}

/** The values of Q0. */
export interface CompanyPage {
  readonly company: number;
  readonly perPage: number;
  readonly page: number;
}

function companyPage(parameter: Parameter): CompanyPage {
  const company = wholeNumber(parameter('filter[company.id][eq]'), undefined);
  return { company, perPage: pageSize(parameter), page: wholeNumber(parameter('page'), 1) };
}

function companyBody({ page, perPage }: CompanyPage, data: readonly object[], total: number): Body {
  return { data, page, perPage, total, lastPage: Math.max(1, Math.ceil(total / perPage)) };
}

/** The values of Q7: the page behind a row. */
export interface NewestPage {
  readonly active: boolean;
  readonly perPage: number;
  readonly createdAt: string;
  readonly id: string;
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

/** Reads requests of Q7 and writes their bodies. */
function newestPages(values: readonly RequestValues[]) {
  const [some] = values as readonly [RequestValues];
  const { page } = planQuery(queryString('Q7', some, ''), listRules(userRegistry()));
  if (page.mode !== 'keyset') throw new TypeError('Q7 must be a page by cursor.');
  const cursors = cursorsOf(page.binding);
  return {
    cursorAfter: (row: UserRow): string => cursors.write('a', row),
    read(parameter: Parameter, cursor: string): NewestPage {
      const active = parameter('filter[active][eq]');
      if (active !== 'true' && active !== 'false') throw new TypeError('400');
      if (parameter('sort') !== '-createdAt') throw new TypeError('400');
      const perPage = pageSize(parameter);
      const [createdAt, id] = cursors.read(cursor);
      return { active: active === 'true', perPage, createdAt, id };
    },
    /** The body of a page, of which one more row was read. */
    body({ perPage }: NewestPage, found: readonly UserRow[]): Body {
      const hasMore = found.length > perPage;
      const data = hasMore ? found.slice(0, perPage) : found;
      const [first, last] = [data[0], data.at(-1)];
      return {
        data,
        perPage,
        nextCursor: hasMore && last ? cursors.write('a', last) : null,
        prevCursor: first ? cursors.write('b', first) : null,
      };
    },
  };
}

/** A value, or a promise of it where the driver gives one. */
type Read<T> = T | Promise<T>;

/** The statements of an endpoint. */
export interface Reads {
  company(page: CompanyPage): Read<{ readonly rows: readonly object[]; readonly total: number }>;
  /** The page, and one more row. */
  newest(page: NewestPage): Read<readonly UserRow[]>;
}

const after = <T>(read: Read<T>, body: (found: T) => Body): Read<Body> =>
  read instanceof Promise ? read.then(body) : body(read);

/** An endpoint of Q0 and Q7 by hand. */
export function endpointByHand(
  name: string,
  values: readonly RequestValues[],
  reads: Reads,
  close: Contender['close'],
): Contender {
  const newest = newestPages(values);

  function ofCompany(parameter: Parameter): Read<Body> {
    const asked = companyPage(parameter);
    return after(reads.company(asked), ({ rows, total }) => companyBody(asked, rows, total));
  }

  function newestAfter(parameter: Parameter, cursor: string): Read<Body> {
    const asked = newest.read(parameter, cursor);
    return after(reads.newest(asked), (found) => newest.body(asked, found));
  }

  const answer = (parameter: Parameter): Read<Body> => {
    const cursor = parameter('cursor');
    return typeof cursor === 'string' ? newestAfter(parameter, cursor) : ofCompany(parameter);
  };
  const queries = new Map<RequestName, string[]>(
    requests.map((name) => [
      name,
      values.map((value) => queryString(name, value, newest.cursorAfter(value.after))),
    ]),
  );
  const query = (request: RequestName, variant: number): string =>
    queries.get(request)?.[variant] ?? '';
  return {
    name,
    requests,
    byHand: { query, answer: async (parameter) => answer(parameter) },
    answer: (request, _values, variant) => {
      const parameters = new URLSearchParams(query(request, variant));
      return answer((parameter) => parameters.get(parameter) ?? undefined);
    },
    close,
  };
}
