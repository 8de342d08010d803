/**
 * Generated requests with groups, quantifiers, values over relations and children on the large table of these forms: how
 * long those take that each budget of an endpoint lets pass.
 */

import fc from 'fast-check';
import { type SqlConnection, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  QueryError,
  defineQueryRules,
  planQuery,
  runQuery,
} from '../../src/index.ts';
import { readIndexUses } from '../../src/relational/profile/index.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { instant } from './conditions.ts';
import { drop } from './open.ts';
import { tablesOf } from './requests.ts';
import { analyse, companies, openSeeded } from './seed.ts';

/** The default of `runQuery`, in milliseconds. */
const limit = 30_000;

const shown = (...allowed: string[]) => ({ allowed, default: allowed });

/** A condition as the text between `filter` and the end of its value. */
type Term = string;

const term = (path: string, operator: string, value: fc.Arbitrary<string>): fc.Arbitrary<Term> =>
  value.map((text) => `[${path}][${operator}]=${encodeURIComponent(text)}`);

const count = (max: number): fc.Arbitrary<string> => fc.nat(max).map(String);
const member = fc.constantFrom('open', 'failed', 'void', 'paid', 'done');
const place = fc.nat(9_999_999).map((at) => `item ${10_000_000 + at}`);

/** Conditions on items, by their rows: few, a part, and most of them. */
const onItems = (rows: number): fc.Arbitrary<Term> =>
  fc.oneof(
    term('state', 'eq', member),
    term('state', 'in', fc.subarray(['open', 'failed', 'void'], { minLength: 1 }).map(String)),
    term('amount', 'gte', count(100_000)),
    term(
      'amount',
      'between',
      fc.nat(99_000).map((from) => `${from},${from + 999}`),
    ),
    term('amount', 'isNull', fc.constantFrom('true', 'false')),
    term('active', 'eq', fc.constantFrom('true', 'false')),
    term('createdAt', 'lte', fc.nat(rows - 1).map(instant)),
    term(
      'name',
      'startsWith',
      fc
        .tuple(place, fc.integer({ min: 6, max: 13 }))
        .map(([text, length]) => text.slice(0, length)),
    ),
    term(
      'name',
      'like',
      place.map((text) => text.slice(8)),
    ),
    term(
      'company.name',
      'eq',
      fc.nat(companies - 1).map((at) => `company ${at}`),
    ),
    term('company.name', 'like', count(999)),
    term(
      'company.country.code',
      'eq',
      fc.integer({ min: 1, max: 50 }).map((at) => `c${at}`),
    ),
    term(
      'linesOf.product',
      'eq',
      fc.nat(rows / 20 - 1).map((at) => `product ${at}`),
    ),
    term('linesOf.qty', 'gte', count(9)),
    term('linesOf.$count', 'gte', count(3)),
    term('linesOf.$max.qty', 'lte', count(9)),
  );

const onLines = (rows: number): fc.Arbitrary<Term> =>
  fc.oneof(
    term(
      'product',
      'eq',
      fc.nat(rows / 20 - 1).map((at) => `product ${at}`),
    ),
    term('qty', 'gte', count(9)),
    term('qty', 'eq', count(9)),
  );

/** Everything that a request may ask. */
function requests(rows: number): fc.Arbitrary<string> {
  const under = (prefix: string) => (terms: readonly Term[]) =>
    terms.map((each) => `${prefix}${each}`);
  const some = (max: number) => fc.array(onItems(rows), { minLength: 1, maxLength: max });
  const quantified = fc
    .tuple(
      fc.constantFrom('$some', '$every', '$none'),
      fc.array(onLines(rows), { minLength: 1, maxLength: 2 }),
    )
    .map(([quantifier, terms]) => under(`[linesOf][${quantifier}]`)(terms));
  const alternatives = fc
    .array(fc.oneof(some(2), quantified), { minLength: 2, maxLength: 3 })
    .map((all) => all.flatMap((terms, at) => under(`[$or][${at}]`)(terms)));
  const filters = fc
    .array(fc.oneof(some(2), quantified, alternatives, some(2).map(under('[$not]'))), {
      maxLength: 2,
    })
    // An operator of a path has one value.
    .map((all) => [...new Map(all.flat().map((text) => [text.split('=')[0], text])).values()])
    .map((all) => all.map((text) => `filter${text}`));
  const children = fc
    .tuple(fc.constantFrom('-qty', 'product'), fc.integer({ min: 1, max: 20 }), count(9))
    .map(([sort, size, qty]) => [
      'includes=linesOf',
      `include[linesOf][sort]=${sort}`,
      `include[linesOf][perPage]=${size}`,
      `include[linesOf][filter][qty][gte]=${qty}`,
    ]);
  const included = fc.oneof(fc.constantFrom([], ['includes=company']), children);
  const sort = fc.constantFrom(
    ...['', 'name', '-createdAt', 'amount', '-amount', 'company.name'].map((by) => `sort=${by}`),
    'sort=-linesOf.$count',
    'sort=linesOf.$max.qty',
  );
  const part = fc.constantFrom('cursor=', 'page=1', 'page=3', 'page=50');
  return fc
    .tuple(filters, included, sort, part)
    .map(([terms, include, by, at]) =>
      [...terms, ...include, by === 'sort=' ? '' : by, at].filter(Boolean).join('&'),
    );
}

const filter = (path: string, ...operators: string[]) => ({ path, operators });

/** The endpoint whose requests are generated. */
const declared = {
  filters: [
    filter('state', 'eq', 'in'),
    filter('amount', 'gte', 'between', 'isNull'),
    filter('active', 'eq'),
    filter('createdAt', 'lte'),
    filter('name', 'startsWith', 'like'),
    filter('company.name', 'eq', 'like'),
    filter('company.country.code', 'eq'),
    filter('linesOf.product', 'eq'),
    filter('linesOf.qty', 'gte', 'eq'),
    filter('linesOf.$count', 'gte'),
    filter('linesOf.$max.qty', 'lte'),
  ],
  groups: { depth: 2, terms: 20 },
  quantifiers: ['linesOf'],
  aggregates: { linesOf: { count: true, max: ['qty'] } },
  sorts: ['name', 'createdAt', 'amount', 'company.name', 'linesOf.$count', 'linesOf.$max.qty'],
  includes: ['company', 'linesOf'],
  children: { linesOf: { filters: [filter('qty', 'gte')], sorts: ['qty', 'product'] } },
  fields: {
    root: shown('id', 'name', 'state', 'amount', 'createdAt'),
    relations: { company: shown('id', 'name'), linesOf: shown('id', 'product', 'qty') },
  },
  pagination: { mode: 'both' },
};

/** Budgets of endpoints: the usual one, smaller ones, and one that refuses nothing. */
const budgets = [10, 20, 30, 40, 60, 80, 100, 1000];

interface Outcome {
  readonly request: string;
  /** The smallest of the budgets that lets it pass. */
  readonly budget: number;
  readonly took: number;
  /** The code of the error. */
  readonly error?: string;
}

/** Prints for each budget how many requests it lets pass, and how long these took. */
export async function runBudget(rows: number, asked: number, isKept: boolean): Promise<void> {
  const opened = await openSeeded('pg', rows, isKept);
  const tables = await tablesOf(opened);
  const registry = sqlRegistry(tables, { families: ['postgresql'] });
  const rulesWith = (cost: number) =>
    defineQueryRules(registry as never, 'items' as never, declared as never, {
      cursorKeys: 'a secret that is only for benchmarks, of 32 characters',
      limits: { cost },
    }) as CompiledQueryRules;
  const endpoints = new Map(budgets.map((cost) => [cost, rulesWith(cost)]));
  const rules = rulesWith(Math.max(...budgets));
  const connection = opened.connection as SqlConnection;
  const source = sqlSource({ connection, registry, tables, model: 'items' as never });
  let isNew = false;
  for (const { index, statement } of await readIndexUses(source as never, rules as never)) {
    if (index !== null) continue;
    await opened.run(statement);
    isNew = true;
  }
  if (isNew) await analyse(opened);
  const passes = (request: string, own: CompiledQueryRules): boolean => {
    try {
      planQuery(request, own);
      return true;
    } catch (error) {
      if (error instanceof QueryError && error.code === 'QUERY_TOO_EXPENSIVE') return false;
      throw error;
    }
  };
  const outcomes: Outcome[] = [];
  for (const request of fc.sample(requests(rows), { seed: 1, numRuns: asked })) {
    const [budget = 0] = [...endpoints].find(([, own]) => passes(request, own)) ?? [];
    const begun = performance.now();
    const error = await runQuery(source as never, request, rules).then(
      () => undefined,
      (thrown) => thrown as QueryError,
    );
    const took = performance.now() - begun;
    outcomes.push({ request, budget, took, ...(error && { error: error.code }) });
    console.error(`${figure(took)} ms, ${budget}: ${error?.code ?? ''} ${request}`);
  }
  console.log(`### ${opened.server}, ${rows} rows, ${asked} generated requests\n`);
  const lines = budgets.map((cost) => {
    const passed = outcomes.filter(({ budget }) => budget <= cost);
    const took = passed.map((each) => each.took);
    const late = passed.filter(({ error }) => error !== undefined).length;
    return [
      String(cost),
      String(passed.length),
      ...[0.5, 0.95, 1].map((share) => figure(quantile(took, share))),
      String(late),
    ];
  });
  console.log(
    table(['budget', 'passed', 'p50 ms', 'p95 ms', 'longest ms', `ended by ${limit} ms`], lines),
  );
  await opened.close();
  if (!isKept) await drop('pg');
}
