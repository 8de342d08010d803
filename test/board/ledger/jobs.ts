/** A ledger of jobs that workers have ended, and the checks of a board's errors, timeline and filters against it. */

import { expect } from 'vitest';
import { isQuick } from '../../setup/left-to-ci.ts';
import { everything } from '../../seed.ts';
import { until } from '../kvq/suite.ts';
import { type Failed, factsOf, kinds, ledgerFacts, walkErrors } from './errors.ts';

/** The jobs of a queue: a timeline of stored jobs reads no more. */
export const jobsOfQueue = everything ? 5_000 : isQuick ? 120 : 300;
/** 100,000 jobs in a long run. */
export const queueNames = Array.from(
  { length: everything ? 20 : 2 },
  (_none, at) => `ledger-${at}`,
);

/** The data of a job, and so what its worker does. */
export interface JobData {
  readonly n: number;
  /** The kind of its error, if it fails. */
  readonly kind: number | null;
  readonly amount: number | string;
  readonly customer: { readonly id: string };
  readonly release: string | null;
}

/** A job that has ended. */
export interface Entry {
  readonly queueName: string;
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  readonly added: number;
  readonly started: number;
  readonly finished: number;
  /** Attempts that have ended. */
  readonly attempts: number;
}

export const dataOf = (n: number): JobData => ({
  n,
  kind: n % 5 < 3 ? n % kinds.length : null,
  amount: n % 3 === 0 ? String(n % 200) : n % 200,
  customer: { id: `c${n % 97}` },
  release: n % 4 === 0 ? null : `v${n % 4}`,
});
export const nameOf = (n: number): string => `job-${n % 3}`;
/** Those that fail twice. */
export const attemptsOf = (n: number): number => (n % 7 === 0 ? 2 : 1);

/** Does the job of the data: fails or not. */
export function work({ kind, n }: JobData): void {
  if (kind !== null) throw new Error(kinds[kind]?.[0](n));
}

interface Answer {
  readonly status: number;
  // The bodies of both engines' boards are read without their types.
  readonly body: object;
}

/** A board of an engine. */
export interface LedgerBoard {
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body: object): Promise<Answer>;
  /** The states of jobs that have ended, the path of the search, and the ids of a page of it. */
  readonly stateName: 'status' | 'state';
  searchOf(queueName: string): string;
  idsOf(body: object): readonly string[];
  /** Whether its jobs have names. */
  readonly hasNames: boolean;
}

const isFailed = ({ data }: Entry): boolean => data.kind !== null;
const errorOf = ({ data: { kind, n } }: Entry): string | null =>
  kind === null ? null : (kinds[kind]?.[0](n) ?? null);
const has = (entry: Entry, part: string): boolean =>
  errorOf(entry)?.toLowerCase().includes(part) ?? false;
const amountOf = ({ data: { amount } }: Entry): number =>
  typeof amount === 'number' ? amount : Number.NaN;

/** Filters as text, and the entries that they mean. */
function filtersOf(entries: readonly Entry[]): readonly [string, (entry: Entry) => boolean][] {
  const [times, begun] = [
    entries.map(({ finished }) => finished).toSorted((a, b) => a - b),
    entries.map(({ added }) => added).toSorted((a, b) => a - b),
  ];
  const at = (moments: readonly number[], part: number): number =>
    Math.floor(moments[Math.floor(moments.length * part)] ?? 0);
  const [early, late, added] = [at(times, 0.3), at(times, 0.7), at(begun, 0.5)];
  const iso = (moment: number): string => new Date(moment).toISOString();
  const some = entries[Math.floor(entries.length / 2)];
  return [
    ['error ~ gateway', (entry) => has(entry, 'gateway')],
    ['not error ~ order', (entry) => isFailed(entry) && !has(entry, 'order')],
    ['error is null', (entry) => !isFailed(entry)],
    [`failed >= ${iso(late)}`, (entry) => isFailed(entry) && entry.finished >= late],
    [`completed < ${iso(early)}`, (entry) => !isFailed(entry) && entry.finished < early],
    [
      `finished >= ${iso(early)} and finished < ${iso(late)}`,
      ({ finished }) => finished >= early && finished < late,
    ],
    [`added >= ${iso(added)}`, (entry) => entry.added >= added],
    [`not (processed < ${iso(late)})`, ({ started }) => started >= late],
    ['duration > 2ms', ({ started, finished }) => Math.round(finished) - Math.round(started) > 2],
    ['attempts >= 2', ({ attempts }) => attempts >= 2],
    ['data.amount >= 150', (entry) => amountOf(entry) >= 150],
    ['data.amount = 42', ({ data }) => String(data.amount) === '42'],
    ['data.customer.id = c17', ({ data }) => data.customer.id === 'c17'],
    [
      'data.customer.id = c17 and (error ~ order or completed is not null)',
      (entry) => entry.data.customer.id === 'c17' && (has(entry, 'order') || !isFailed(entry)),
    ],
    [
      'not (data.n < 100 or failed is not null)',
      (entry) => entry.data.n >= 100 && !isFailed(entry),
    ],
    [`id = ${some?.id}`, ({ id }) => id === some?.id],
  ];
}

async function matched(board: LedgerBoard, queueName: string, where: string): Promise<number> {
  let count = 0;
  for (const state of ['completed', 'failed']) {
    const filter = { [board.stateName]: state, where };
    const body = { queueName, action: 'remove', dryRun: true, filter };
    let answer = await board.send('POST', '/api/bulk', body);
    expect([where, answer.status, answer.body]).toEqual([where, 200, expect.anything()]);
    let { run } = answer.body as { run: { id: string; state: string; matched: number } };
    await until(async () => {
      answer = await board.get(`/api/bulk/${run.id}`);
      ({ run } = answer.body as { run: typeof run });
      return run.state !== 'running';
    });
    expect([where, run.state]).toEqual([where, 'completed']);
    count += run.matched;
  }
  return count;
}

async function idsFound(board: LedgerBoard, queueName: string, where: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ where, limit: '100', ...(cursor && { cursor }) });
    const { status, body } = await board.get(`${board.searchOf(queueName)}&${query}`);
    expect([where, status]).toEqual([where, 200]);
    ids.push(...board.idsOf(body));
    ({ nextCursor: cursor } = body as { nextCursor: string | null });
  } while (cursor !== null);
  return ids.toSorted();
}

/** Pages of more jobs than these are counted alone. */
const mostListed = 500;

async function expectFilters(board: LedgerBoard, queueName: string, entries: readonly Entry[]) {
  for (const [where, fits] of filtersOf(entries)) {
    const wanted = entries.filter(fits).map(({ id }) => id);
    const count = await matched(board, queueName, where);
    expect([where, count]).toEqual([where, wanted.length]);
    if (wanted.length > mostListed) continue;
    expect([where, await idsFound(board, queueName, where)]).toEqual([where, wanted.toSorted()]);
  }
}

const minute = 60_000;

async function expectTimeline(board: LedgerBoard, queueName: string, entries: readonly Entry[]) {
  const moments = entries.flatMap(({ added, finished }) => [added, finished]);
  const from = Math.floor(Math.min(...moments) / minute) * minute;
  const to = Math.max(...moments);
  const { body } = await board.get(
    `/api/timeline?queueName=${queueName}&unit=minute&from=${from}&to=${Math.ceil(to)}`,
  );
  const { added } = body as { added: readonly number[] };
  const counted = (times: readonly number[]): number[] => {
    const counts = added.map(() => 0);
    for (const at of times) {
      const bucket = Math.floor((at - from) / minute);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    return counts;
  };
  const ended = (wanted: boolean): number[] =>
    counted(entries.filter((one) => isFailed(one) === wanted).map(({ finished }) => finished));
  expect(body).toMatchObject({
    added: counted(entries.map((entry) => entry.added)),
    completed: ended(false),
    failed: ended(true),
    partial: [],
  });
}

/** Holds the errors, the timelines and the filters of a board against the ledger of its queues. */
export async function expectLedger(board: LedgerBoard, ledger: readonly Entry[]): Promise<void> {
  expect(ledger).toHaveLength(queueNames.length * jobsOfQueue);
  const { steps, errors } = await walkErrors(async (path) => {
    const { status, body } = await board.get(path);
    expect(status).toBe(200);
    return body;
  });
  const [step] = steps;
  if (!step) throw new Error('There is no answer.');
  const failed = ledger.filter(isFailed).map(({ queueName, id, name, data, finished }): Failed => ({
    queueName,
    id,
    error: kinds[data.kind ?? 0]?.[1] ?? '',
    name,
    release: data.release,
    at: Math.floor(finished),
  }));
  expect(factsOf(errors)).toEqual(ledgerFacts(failed, step, board.hasNames));
  for (const [queueName, entries] of Map.groupBy(ledger, (entry) => entry.queueName)) {
    await expectTimeline(board, queueName, entries);
    await expectFilters(board, queueName, entries);
  }
}
