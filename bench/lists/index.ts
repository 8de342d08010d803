/** List requests end to end: Sluice compared with the driver, ORMs by hand and nestjs-paginate. */

import { deepStrictEqual, strictEqual } from 'node:assert';
import { measure } from '../measure.ts';
import type { Cell } from './cell.ts';
import type { Contender, Group } from './contender.ts';
import { openContenders } from './contenders.ts';
import { cursorRows } from './cursor-rows.ts';
import { report } from './report.ts';
import { type RequestName, type RequestValues, nestedNames, variants } from './requests.ts';
import { seedMysql } from './seed-mysql.ts';
import { seedPostgres } from './seed-pg.ts';
import { seedSqlite } from './seed-sqlite.ts';
import type { Family } from './services.ts';
import { countStatements } from './statements.ts';

export interface ListsOptions {
  readonly requests: readonly RequestName[];
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  /** Requests per contender; twenty times as many for the light ones. */
  readonly iterations: number;
  readonly reseed: boolean;
}

/** Requests of well under a millisecond: more of them fit into a run, and they show the overhead of a library. */
const light: ReadonlySet<RequestName> = new Set(['Q0', 'Q7']);

const onMysql: ReadonlySet<RequestName> = new Set(['Q3', ...nestedNames]);

/** Milliseconds after which a request does not start another round. */
const budget = 30_000;

/** The answer as a client receives it: converted to JSON and back, without page numbers. */
async function received(
  contender: Contender,
  request: RequestName,
  values: RequestValues,
  variant: number,
): Promise<unknown> {
  const answer = await contender.answer(request, values, variant);
  const { data, total } = contender.comparable?.(request, answer) ?? answer;
  return JSON.parse(JSON.stringify({ data, total }));
}

/** Fails if the contenders give different answers. */
async function assertSameAnswers(
  list: readonly Contender[],
  request: RequestName,
  values: readonly RequestValues[],
): Promise<void> {
  for (const [variant, value] of values.entries()) {
    if (variant > 3 && !light.has(request)) return;
    const answers = await Promise.all(list.map((one) => received(one, request, value, variant)));
    for (const [index, answer] of answers.entries()) {
      deepStrictEqual(answer, answers[0], `${list[index]?.name} answers ${request} differently`);
    }
  }
}

/** The body of an answer. */
async function textOf(
  contender: Contender,
  request: RequestName,
  value: RequestValues,
  variant: number,
): Promise<string> {
  return contender.text
    ? contender.text(request, variant)
    : JSON.stringify(await contender.answer(request, value, variant));
}

/** A body without the texts of its cursors: they name the rules, which differ between registries. */
const withoutCursors = (body: string): string =>
  body.replaceAll(/"(?:next|prev)Cursor":"[^"]*"/g, '"cursor"');

/** Fails if those that answer complete bodies answer other bytes, apart from the texts of cursors. */
async function assertSameBytes(
  list: readonly Contender[],
  request: RequestName,
  values: readonly RequestValues[],
): Promise<void> {
  const reference = list.find(({ byHand }) => byHand);
  if (!reference) return;
  const others = list.filter(({ byHand, endpoint, requests }) => byHand ?? (endpoint && !requests));
  for (const [variant, value] of values.entries()) {
    const expected = withoutCursors(await textOf(reference, request, value, variant));
    for (const one of others) {
      const text = withoutCursors(await textOf(one, request, value, variant));
      strictEqual(text, expected, `${one.name} answers other bytes to ${request}`);
    }
  }
}

async function measureRequest(
  all: readonly Contender[],
  request: RequestName,
  values: readonly RequestValues[],
  iterations: number,
): Promise<Cell[]> {
  const list = all.filter(({ requests }) => requests?.includes(request) ?? true);
  await assertSameAnswers(list, request, values);
  await assertSameBytes(list, request, values);
  const at = (index: number): [RequestValues, number] => {
    const variant = index % values.length;
    return [values[variant] as RequestValues, variant];
  };
  const statements: number[] = [];
  for (const contender of list) {
    statements.push(await countStatements(() => contender.answer(request, ...at(0))));
  }
  const measured = await measure(
    list.map((contender) => ({
      name: contender.name,
      // A list endpoint sends text, so every contender pays for the conversion of dates and the like.
      run: (index) => textOf(contender, request, ...at(index)),
    })),
    {
      iterations: light.has(request) ? iterations * 20 : iterations,
      rounds: light.has(request) ? 30 : 20,
      warmup: light.has(request) ? 2_000 : 20,
      budget,
    },
  );
  return measured.map((result, index) => ({
    ...result,
    request,
    statements: statements[index] ?? Number.NaN,
  }));
}

/** Seeds missing databases, measures, and prints one set of tables per family. */
export async function runLists(options: ListsOptions): Promise<void> {
  seedSqlite('milliseconds', options.reseed);
  const values = variants(cursorRows());
  for (const family of options.families) {
    if (family === 'pg') await seedPostgres(options.reseed);
    if (family === 'sqlite') {
      seedSqlite('typeorm', options.reseed);
      seedSqlite('prisma', options.reseed);
    }
    if (family === 'mysql') await seedMysql(options.reseed);
    const requests =
      family === 'mysql' ? options.requests.filter((name) => onMysql.has(name)) : options.requests;
    if (requests.length === 0) continue;
    const list = await openContenders(family, options.groups, values);
    const cells: Cell[] = [];
    for (const request of requests) {
      cells.push(...(await measureRequest(list, request, values, options.iterations)));
    }
    console.log(report(family, requests, list, cells));
    for (const contender of list) await contender.close();
  }
}
