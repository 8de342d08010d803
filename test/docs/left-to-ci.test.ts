/** The list of tests that `npm test` leaves to CI is true: its files exist, and CONTRIBUTING.md names each with its reason. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { leftOfSuites, leftToAll, leftToCi, outOfTurn, turnsOfCi } from '../setup/left-to-ci.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const guide = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');

it.each(leftToCi)('$files exists, and is documented', ({ files, reason }) => {
  expect(globSync(files, { cwd: root })).not.toEqual([]);
  expect(guide).toContain(`| \`${files.replace(/^test\//, '')}\` | ${reason} |`);
});

it.each([...leftOfSuites, ...leftToAll])('%s: is documented', (left) => {
  expect(guide.replaceAll('\n', ' ')).toContain(left);
});

it.each(turnsOfCi.flat(2))('%s takes turns in CI, and exists once', (files) => {
  const named = globSync(`test/${files}`, { cwd: root });
  expect(named).not.toEqual([]);
  const all = turnsOfCi.flat(2).flatMap((each) => globSync(`test/${each}`, { cwd: root }));
  for (const file of named) expect(all.filter((each) => each === file)).toEqual([file]);
});

it('gives every row of a group its turn, and no two of them at once', () => {
  for (const rows of turnsOfCi) {
    const files = (row: readonly string[]): string[] => row.map((each) => `test/${each}`);
    const run = Array.from({ length: rows.length }, (_, seed) => {
      const left = outOfTurn(seed, true);
      return rows.filter((row) => !files(row).some((each) => left.includes(each)));
    });
    expect(run.map((each) => each.length)).toEqual(run.map(() => 1));
    expect(new Set(run.flat())).toEqual(new Set(rows));
  }
});
