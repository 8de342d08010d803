/**
 * Lists on ordinary tables: Sluice over `introspect`, and its statements alone, compared with the best SQL by hand in the
 * same run.
 */

import type { SqlExecutor } from '../../src/adapters/sql/executors/executor.ts';
import { type SqlConnection, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import type { Family } from '../lists/services.ts';
import { heard } from '../heard.ts';
import { figure, table } from '../markdown.ts';
import { measure } from '../measure.ts';
import { type Case, cases } from './cases.ts';
import { type Opened, openTables } from './seed.ts';

const cursorKeys = 'a secret that is only for benchmarks, of 32 characters';

const shown = (...allowed: string[]) => ({ allowed, default: allowed });

async function requestsOf(opened: Opened) {
  const connection = opened.connection as SqlConnection;
  const registry = await introspect(connection);
  const { tables } = registry;
  const { executor, again } = heard(connection);
  const source = (model: string, on: SqlConnection | SqlExecutor) =>
    sqlSource({ connection: on, registry, tables, model });
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
  /** The request of a case, behind the cursor of so many rows, and its statements. */
  return async ({ model, request, after = 0 }: Case) => {
    const answer = (text: string, on: SqlConnection | SqlExecutor = connection) =>
      runQuery(source(model, on), text, rules[model]);
    const isNumbered = /(?:^|&)page=/.test(request);
    let cursor = '';
    for (let at = 0; at < after; at += 500) {
      const page = await answer(`${request}&perPage=500&cursor=${cursor}`);
      cursor = (page as KeysetResult).nextCursor ?? '';
    }
    const asked = isNumbered ? request : `${request}&cursor=${cursor}`;
    await answer(asked, executor);
    const statements = again.splice(0);
    return {
      whole: () => answer(asked),
      statements: async () => {
        for (const run of statements) await run();
      },
    };
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
      const { whole, statements: own } = await requestOf(each);
      const measured = await measure(
        [
          { name: 'by hand', run: byHand },
          { name: 'its statements', run: own },
          { name: 'Sluice', run: whole },
        ],
        { iterations: 100, rounds: 10, warmup: 10, budget: 10_000 },
      );
      const [hand = Number.NaN, sent = Number.NaN, all = Number.NaN] = measured.map(
        ({ p50 }) => p50,
      );
      rows.push([
        each.name,
        ...[hand, sent, sent / hand, all, all / hand].map((value) => figure(value)),
      ]);
    }
    console.log(
      `### ${family}\n\n${table(['request', 'by hand ms', 'its statements ms', 'ratio', 'whole ms', 'ratio'], rows)}\n`,
    );
    await opened.close();
  }
}
