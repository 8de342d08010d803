/**
 * How generated suites are drawn: a fresh seed at every run unless `SLUICE_SEED` names one, and a tenth of the
 * cases unless `SLUICE_LONG=1` (`npm run test:long`) asks for all of them.
 */

import path from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';

/** The seed of this run. The configuration of vitest chooses it once for every file. */
export const seed = Number(process.env['SLUICE_SEED'] ?? Date.now() % 2 ** 31);

/** Whether generated suites run in full. */
export const everything = process.env['SLUICE_LONG'] === '1';

/** How many of a number of cases run. */
export const shareOf = (cases: number): number => (everything ? cases : Math.ceil(cases / 10));

/** The command that repeats the running test with the same cases. */
function repeatCommand(): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const long = everything ? 'SLUICE_LONG=1 ' : '';
  const file = path.relative(process.cwd(), testPath);
  // Test names are patterns to vitest.
  const name = currentTestName.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", '.');
  return `${long}SLUICE_SEED=${seed} npx vitest run ${file} -t '${name}'`;
}

/** Runs the work; an error ends with the command that repeats it. */
export async function repeatable<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) error.message += `\nRepeat with: ${repeatCommand()}`;
    throw error;
  }
}

/** Shorter than the time of a test, so that a counterexample is printed that is still being shrunk. */
const mostMs = 280_000;

/**
 * Checks the property on a share of the cases; a counterexample is shrunk and printed. Suites of different numbers draw
 * different cases.
 */
export async function holds<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  cases: number,
  suite = 0,
): Promise<void> {
  await repeatable(() =>
    fc.assert(property as fc.IAsyncProperty<T>, {
      seed: seed + suite,
      numRuns: shareOf(cases),
      ...(!everything && { interruptAfterTimeLimit: mostMs, markInterruptAsFailure: true }),
    }),
  );
}

/**
 * Every tenth of the cases, all of them in a long run. The seed and the number of a suite choose where the count
 * begins, so that ten suites of consecutive numbers share out the cases.
 */
export function tenthOf<T>(cases: Iterable<T>, suite = 0): T[] {
  const all = [...cases];
  return everything ? all : all.filter((_, at) => (at + seed + suite) % 10 === 0);
}

/**
 * One of the cases, all of them in a long run. The seed and the turn choose it: consecutive turns have different cases,
 * and as many turns as there are cases have all of them.
 */
export function inTurn<T>(cases: readonly T[], turn: number): readonly T[] {
  return everything ? cases : cases.filter((_, at) => at === (seed + turn) % cases.length);
}
