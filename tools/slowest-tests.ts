/**
 * Prints where the time of the tests goes: the slowest files of the last runs, as vitest has noted them, and the sum of
 * each folder. Files that a run left out keep their last time. Usage: `node tools/slowest-tests.ts [how many]`
 */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Noted {
  readonly projects: {
    readonly [project: string]: {
      readonly files: { readonly [file: string]: { readonly duration: number } };
    };
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const count = Number(process.argv[2] ?? 30);

const [cache] = globSync('node_modules/.vite/vitest/*/results.json', { cwd: root });
if (cache === undefined) throw new Error('No tests have run yet.');
const { projects } = JSON.parse(readFileSync(`${root}${cache}`, 'utf8')) as Noted;
const times = Object.values(projects).flatMap(({ files }) =>
  Object.entries(files).map(([file, { duration }]) => [file, duration / 1000] as const),
);

/** Prints the largest sums by name. */
function print(title: string, nameOf: (file: string) => string): void {
  const sums = new Map<string, number>();
  for (const [file, seconds] of times) {
    sums.set(nameOf(file), (sums.get(nameOf(file)) ?? 0) + seconds);
  }
  const total = [...sums.values()].reduce((sum, seconds) => sum + seconds, 0);
  console.log(`${title}: ${sums.size}, ${Math.round(total)} s`);
  const sorted = [...sums].toSorted(([, left], [, right]) => right - left).slice(0, count);
  for (const [name, seconds] of sorted) console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
}

print('Files', (file) => file);
print('Folders', (file) => file.replace(/\/[^/]*$/, ''));
