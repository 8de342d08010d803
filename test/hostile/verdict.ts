/** The demands of the hostile suite on every answer. */

import { expect } from 'vitest';
import { QueryError, runQuery } from '../../src/index.ts';
import type { ListRequestInput } from '../../src/index.ts';
import type { HostileCell } from './hostile-cell.ts';
import type { HostileRequest } from './request-parts.ts';
import { holdsMarker, holdsValue } from './values.ts';

/** Milliseconds that no request may take, on a machine that is busy with other tests. */
export const patienceMs = 5000;

const sqlOrNames =
  /\b(SELECT|WHERE|EXISTS|LIKE|ESCAPE|UNION|DROP)\b|\bselect\b|hz_|\bc_[a-z]|sqlite|postgres|mysql/;

/** An answer as it goes out. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
}

/** Counts outcomes, so that a suite can show that it refuses some requests and answers others. */
export class Tally {
  readonly byCode = new Map<string, number>();
  total = 0;

  add(name: string): void {
    this.byCode.set(name, (this.byCode.get(name) ?? 0) + 1);
    this.total += 1;
  }

  of(name: string): number {
    return this.byCode.get(name) ?? 0;
  }
}

/**
 * Runs the request on the cell and holds the answer against the demands: 200 or 400, no statement for a 400,
 * few for a 200, and in time, at the first try or at one of five more. Anything but a `QueryError` is thrown on.
 */
export async function answer(cell: HostileCell, input: ListRequestInput): Promise<Outcome> {
  const { outcome, taken, sent } = await measured(cell, input);
  const most = outcome.status === 400 ? 0 : cell.mostStatements;
  // Other work of the machine only ever adds: a late count of the request before it, and time.
  if (taken > patienceMs || sent > most) {
    const again = await fiveTimes(() => measured(cell, input));
    expect(Math.min(...again.map((one) => one.taken))).toBeLessThan(patienceMs);
    expect(Math.min(...again.map((one) => one.sent))).toBeLessThanOrEqual(most);
  }
  return outcome;
}

async function measured(cell: HostileCell, input: ListRequestInput) {
  const before = cell.statements();
  const start = performance.now();
  const outcome = await settle(cell, input);
  return { outcome, taken: performance.now() - start, sent: cell.statements() - before };
}

async function fiveTimes<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < 5; time += 1) results.push(await work());
  return results;
}

async function settle({ source, rules }: HostileCell, input: ListRequestInput): Promise<Outcome> {
  try {
    return { status: 200, body: JSON.stringify(await runQuery(source, input, rules)) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { status: error.status, body: JSON.stringify(error) };
  }
}

/**
 * The parts that answers of two families have in common: all but the text of a cursor, which is opaque and holds
 * instants as precisely as its family stores them.
 */
export function comparable({ status, body }: Outcome): Outcome {
  return { status, body: body.replaceAll(/"(next|prev)Cursor":"[^"]*"/g, '"$1Cursor":"text"') };
}

/** 200 with rows, or 400 with an envelope that repeats nothing and shows nothing of the database. */
export function judge({ status, body }: Outcome, request: HostileRequest, tally: Tally): void {
  if (status === 200) {
    const { data } = JSON.parse(body) as { data: unknown };
    expect(data).toBeInstanceOf(Array);
    return tally.add('answered');
  }
  const envelope = JSON.parse(body) as { code: string; details: Record<string, unknown> };
  expect(Object.keys(envelope)).toEqual(['statusCode', 'code', 'message', 'details']);
  expect(envelope).toMatchObject({ statusCode: 400, message: expect.any(String) });
  expect(status).toBe(400);
  expect(body.length).toBeLessThan(1000);
  // A well-formed name may be named, also where it is some other parameter's value.
  const unnamed = body.replaceAll(/"(param|path|operator)":"[\w.[\]-]*"/g, '');
  expect(holdsMarker(request.shifted ? unnamed : body)).toBe(false);
  expect(holdsValue(unnamed, request.values)).toBe(false);
  expect(unnamed).not.toMatch(sqlOrNames);
  tally.add(envelope.code);
}
