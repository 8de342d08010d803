/** The files that runs leave out are documented, and each has its turn, with every choice of cells. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  leftOfSuites,
  leftOut,
  leftToAll,
  seedsOfFiles,
  shared,
  sharedFiles,
  turns,
} from '../setup/left-to-ci.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(`${root}CONTRIBUTING.md`, 'utf8').replaceAll(/\s+/g, ' ');
const filesOf = (pattern: string): string[] => globSync(`test/${pattern}`, { cwd: root });
const patterns = turns.flatMap(({ rows }) => rows.flat());

it.each([
  ...leftOfSuites,
  ...leftToAll,
  ...turns.map(({ subject }) => subject),
  ...shared.map(({ folder }) => `\`${folder}\``),
])('%s: is documented', (left) => {
  expect(guide).toContain(left);
});

it.each(patterns)('%s takes turns in CI, and exists once', (files) => {
  const named = filesOf(files);
  expect(named).not.toEqual([]);
  const all = patterns.flatMap(filesOf);
  for (const file of named) expect(all.filter((each) => each === file)).toEqual([file]);
});

it('gives every row of a group its turn, and no two of them at once', () => {
  for (const { rows } of turns) {
    const run = Array.from({ length: rows.length }, (_, seed) => {
      const left = leftOut(seed * seedsOfFiles, 'ci');
      return rows.filter((row) => !row.some((each) => left.includes(`test/${each}`)));
    });
    expect(run.map((each) => each.length)).toEqual(run.map(() => 1));
    expect(new Set(run.flat())).toEqual(new Set(rows));
  }
});

it.each([
  ['ci', 4],
  ['quick', 8],
] as const)(
  'runs each shared file once in as many seeds of %s as there are parts',
  (run, parts) => {
    const all = sharedFiles(run);
    const runs = Array.from({ length: parts }, (_, seed) => {
      const left = new Set(leftOut(seed * seedsOfFiles, run));
      return all.filter((file) => !left.has(file));
    });
    expect(runs.flat().toSorted()).toEqual(all.toSorted());
  },
);

it('chooses files apart from the cells of suites, which the remainders of 2 and 3 choose', () => {
  const runs = Array.from({ length: 2 * seedsOfFiles }, (_, seed) => leftOut(seed, 'ci'));
  const [first, last] = [runs.slice(0, seedsOfFiles), runs.slice(seedsOfFiles)];
  expect(new Set(first.map((each) => each.join()))).toHaveProperty('size', 1);
  expect(new Set(last.map((each) => each.join()))).toHaveProperty('size', 1);
  expect(first[0]).not.toEqual(last[0]);
});

it.each(shared)('the files of $folder that always run exist', ({ folder, always = [] }) => {
  for (const name of always) expect(filesOf(`${folder}/${name}.test.ts`)).toHaveLength(1);
});
