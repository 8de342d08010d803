/** Which adapters run the suites of the matrix on a set of servers, and how missing servers are reported. */

import { writeSync } from 'node:fs';
import type { DatabaseFamily } from '../../src/index.ts';
import type { MatrixAdapter, MatrixCell } from '../matrix/cells.ts';
import { adapters } from '../matrix/cells.ts';
import { runCorpus } from '../matrix/run-corpus.ts';
import { runWalks } from '../matrix/run-walks.ts';
import { everything, seed } from '../seed.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { Scratch } from '../services/index.ts';

/** All adapters in a long run, else one, in turn by the seed; `turn` differs between sets of servers. */
export function chosenAdapters(turn: number): readonly MatrixAdapter[] {
  return everything ? adapters : adapters.filter((_, at) => at === (seed + turn) % adapters.length);
}

/** Returns what `start` returns; a text, which says why there are no servers, fails a run that requires every service. */
export async function started<T>(start: () => Promise<T | string>): Promise<T | string> {
  const made = await start();
  if (typeof made !== 'string') return made;
  if (everyServiceRequired()) throw new Error(made);
  writeSync(1, `\nLeft out: ${made}\n`);
  return made;
}

/** Declares the corpus and the walks through one set of servers, named `servers`. */
export function runSuites(
  servers: string,
  family: DatabaseFamily,
  turn: number,
  scratch: () => Scratch | string,
): void {
  const report = (): void => {};
  for (const adapter of chosenAdapters(turn)) {
    const name = `${adapter.name} on ${servers}`;
    const cell: MatrixCell = { name, adapter, family };
    const open = async (suite: string) => {
      const made = scratch();
      return typeof made === 'string' ? made : adapter.open(family, suite, undefined, made);
    };
    runCorpus(name, () => open('scale_corpus'), report);
    runWalks(name, cell, () => open('scale_walk'));
  }
}
