/** Lists on ordinary tables: Sluice over `introspect`, compared with the best SQL by hand in the same run. */

import { type SqlConnection, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import type { Family } from '../lists/services.ts';
import { figure, table } from '../markdown.ts';
import { measure } from '../measure.ts';
import { type Case, cases } from './cases.ts';
import { type Opened, openTables } from './seed.ts';

const cursorKeys = 'a secret that is only for benchmarks, of 32 characters';

const shown = (...allowed: string[]) => ({ allowed, default: allowed });

async function requestsOf({ connection }: Opened) {
  const registry = await introspect(connection as SqlConnection);
  const { tables } = registry;
  const source = (model: string) =>
    sqlSource({ connection: connection as SqlConnection, registry, tables, model });
  const pagination = { mode: 'both', count: 'exact' } as const;
  const rules = {
    users: defineQueryRules(
      registry,
      'users',
      {
        filters: ['posts.title', 'posts.published', 'company.country', 'company.name'].map(
          (path) => ({ path, operators: ['eq'] as const }),
        ),
        sorts: ['company.name'],
        fields: { root: shown('id', 'name') },
        pagination,
      },
      { cursorKeys },
    ),
    events: defineQueryRules(
      registry,
      'events',
      {
        sorts: [{ path: 'createdAt', nulls: 'last' }],
        fields: { root: shown('id', 'note') },
        pagination,
      },
      { cursorKeys },
    ),
    authors: defineQueryRules(
      registry,
      'authors',
      {
        fields: { root: shown('id'), relations: { articles: shown('id', 'title') } },
        includes: ['articles'],
        pagination,
      },
      { cursorKeys },
    ),
  };
  const answer = (model: Case['model'], request: string) =>
    runQuery(source(model), request, rules[model]);
  /** The request of a case, behind the cursor of so many rows. */
  return async ({ model, request, after = 0 }: Case): Promise<() => Promise<unknown>> => {
    const isNumbered = /(?:^|&)page=/.test(request);
    let cursor = '';
    for (let at = 0; at < after; at += 500) {
      const page = await answer(model, `${request}&perPage=500&cursor=${cursor}`);
      cursor = (page as KeysetResult).nextCursor ?? '';
    }
    return () => answer(model, isNumbered ? request : `${request}&cursor=${cursor}`);
  };
}

/** Prints a table of milliseconds and ratios for each family. */
export async function runTables(families: readonly Family[], reseed: boolean): Promise<void> {
  for (const family of families) {
    const opened = await openTables(family, reseed);
    const requestOf = await requestsOf(opened);
    const rows: string[][] = [];
    for (const each of cases) {
      const statements = each.byHand(family);
      const byHand = async () => {
        for (const [sql, ...values] of statements) await opened.run(sql, values);
      };
      const [hand, sluice] = await measure(
        [
          { name: 'by hand', run: byHand },
          { name: 'Sluice', run: await requestOf(each) },
        ],
        { iterations: 100, rounds: 10, warmup: 10, budget: 10_000 },
      );
      const [left, right] = [hand?.p50 ?? Number.NaN, sluice?.p50 ?? Number.NaN];
      rows.push([each.name, figure(left), figure(right), figure(right / left)]);
    }
    console.log(
      `### ${family}\n\n${table(['request', 'by hand ms', 'Sluice ms', 'ratio'], rows)}\n`,
    );
    await opened.close();
  }
}
