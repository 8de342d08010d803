/** Asks the worker, one state after another, and ends it where it does not answer. */

import type { EndpointMeta, Explanation } from '../../demo/page/data.ts';
import type { SkippedPart } from '../../src/adapters/sql/index.ts';
import type { State } from './state.ts';

/** The part of the page in which something is wrong. */
export type Part = 'tables' | 'rules' | 'request' | 'database' | 'link';

export interface Problem {
  readonly part: Part;
  readonly message: string;
}

/** The answers that the page shows of a state. */
export interface Reply {
  readonly lists?: readonly EndpointMeta[];
  /** Parts of the tables that are not listed, and why. */
  readonly skipped?: readonly SkippedPart[];
  /** The list that has answered. */
  readonly list?: string;
  readonly explanation?: Explanation;
  readonly problem?: Problem;
}

/** Milliseconds that an answer may take, from the time when the database is loaded. */
const limitMs = 5_000;

let starting: Promise<Worker> | undefined;

function start(): Promise<Worker> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', reject, { once: true });
  });
}

async function answerTo(state: State): Promise<Reply> {
  const failed = (message: string): Reply => {
    starting = undefined;
    return { problem: { part: 'database', message } };
  };
  const worker = await (starting ??= start()).catch(() => undefined);
  if (!worker) return failed('It could not be loaded.');
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      worker.terminate();
      const seconds = limitMs / 1_000;
      resolve(failed(`It was ended, because it had not answered within ${seconds} seconds.`));
    }, limitMs);
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      clearTimeout(timer);
      resolve(JSON.parse(data) as Reply);
    };
    worker.postMessage(state, []);
  });
}

let last: Promise<unknown> = Promise.resolve();

/** The answer to a state; undefined if nobody waits for it any more when it is its turn. */
export function ask(state: State, signal: AbortSignal): Promise<Reply | undefined> {
  const asked = last.then(() => (signal.aborted ? undefined : answerTo(state)));
  last = asked;
  return asked;
}
