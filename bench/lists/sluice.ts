/** Sluice on any ORM: each request as a query string, answered with the text that its list endpoints send. */

import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { CompiledQueryRules, QuerySource, SchemaRegistry } from '../../src/index.ts';
import { type ProfiledSource, checkProfile } from '../../src/relational/profile/index.ts';
import { sealed } from './contender.ts';
import type { Answer, Contender } from './contender.ts';
import {
  cursorOffset,
  nestedNames,
  perPage,
  queryString,
  requestNames,
  variantCount,
} from './requests.ts';
import type { RequestName, RequestValues } from './requests.ts';

/** A computed field of users. */
export const computed = {
  user: { score: { kind: 'integer', nullable: false, sql: '{age} * 1000 + {companyId}' } },
} as const;

const shown = ['id', 'name', 'email', 'age', 'active', 'createdAt', 'companyId'];
const children = { allowed: ['id', 'title'], default: ['id', 'title'] } as const;

const cursorKeys = 'the secret of the benchmark, which encrypts its cursors';

/** The rules of the endpoint for all requests. */
export function listRules(registry: SchemaRegistry, seals = false): CompiledQueryRules {
  const rules = {
    filters: [
      { path: 'company.id', operators: ['eq'] },
      { path: 'age', operators: ['between'] },
      { path: 'active', operators: ['eq'] },
      { path: 'posts.title', operators: ['like'] },
    ],
    sorts: ['name', 'createdAt'],
    fields: {
      root: { allowed: shown, default: shown },
      relations: {
        company: { allowed: ['id', 'name', 'country'], default: ['id', 'name', 'country'] },
        posts: children,
      },
    },
    includes: ['company', 'posts'],
    search: ['name', 'email'],
    pagination: { mode: 'both' },
  } as const;
  return defineQueryRules(registry, 'user', rules, seals ? { cursorKeys } : {});
}

/** The rules of the endpoint for requests by groups, quantifiers, values over relations and children. */
function nestedRules(registry: SchemaRegistry): CompiledQueryRules {
  return defineQueryRules(registry, 'user', {
    filters: [
      { path: 'name', operators: ['startsWith'] },
      { path: 'age', operators: ['between'] },
      { path: 'active', operators: ['eq'] },
      { path: 'score', operators: ['gte'] },
      { path: 'company.id', operators: ['eq'] },
      { path: 'posts.title', operators: ['like'] },
      { path: 'posts.id', operators: ['gte', 'lte'] },
    ],
    groups: { depth: 2, terms: 10 },
    quantifiers: ['posts'],
    aggregates: { posts: { count: true } },
    sorts: ['name', 'createdAt', 'posts.$count'],
    fields: { root: { allowed: shown, default: shown }, relations: { posts: children } },
    includes: ['posts'],
    children: { posts: { sorts: ['title'] } },
  });
}

/** The cursor after one page in the order of Q7. */
async function cursorPage(
  source: QuerySource,
  rules: CompiledQueryRules,
  size: number,
  cursor: string,
): Promise<string> {
  const query = `filter[active][eq]=true&sort=-createdAt&perPage=${size}&cursor=${cursor}`;
  const result = await runQuery(source, query, rules);
  if (!('nextCursor' in result) || result.nextCursor === null)
    throw new Error('There is no next page.');
  return result.nextCursor;
}

/** Follows the pages to the start rows of the Q7 variants, like a client, and returns their cursors. */
async function cursors(source: QuerySource, rules: CompiledQueryRules): Promise<string[]> {
  const stride = 500;
  let cursor = '';
  let passed = 0;
  for (; passed + stride <= cursorOffset; passed += stride) {
    cursor = await cursorPage(source, rules, stride, cursor);
  }
  for (; passed < cursorOffset; passed += perPage) {
    cursor = await cursorPage(source, rules, perPage, cursor);
  }
  const kept = [cursor];
  while (kept.length < variantCount) {
    cursor = await cursorPage(source, rules, perPage, cursor);
    kept.push(cursor);
  }
  return kept;
}

/**
 * A contender on one source of users. The query strings are prepared, because a server receives them complete. One that
 * `seals` its cursors takes part in Q7.
 */
export async function sluiceContender(
  name: string,
  source: QuerySource,
  registry: SchemaRegistry,
  values: readonly RequestValues[],
  close: () => Promise<void> | void,
  seals = false,
): Promise<Contender> {
  const rules = listRules(registry, seals);
  const nested = nestedRules(registry);
  const rulesOf = (request: RequestName) =>
    nestedNames.some((name) => name === request) ? nested : rules;
  // As an application does at boot: the foreign keys of the catalogue are relied on from then on.
  await checkProfile(source as unknown as ProfiledSource);
  const kept = await cursors(source, rules);
  const texts = new Map<RequestName, string[]>(
    requestNames.map((name) => [
      name,
      values.map((value, variant) => queryString(name, value, kept[variant] ?? '')),
    ]),
  );
  const query = (request: RequestName, variant: number): string =>
    texts.get(request)?.[variant] ?? '';
  return {
    endpoint: { source, rules, query },
    name: seals ? sealed(name) : name,
    ...(seals && { requests: ['Q7'] }),
    async answer(request, _values, variant): Promise<Answer> {
      return runQuery(source, query(request, variant), rulesOf(request));
    },
    async text(request, variant) {
      return JSON.stringify(await runQuery(source, query(request, variant), rulesOf(request)));
    },
    // Sluice also says which users have more posts.
    comparable: (_request, { data, total }) => ({
      data: data.map((row) => Object.assign({}, row, { $truncated: undefined })),
      total,
    }),
    close,
  };
}
