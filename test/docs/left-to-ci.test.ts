/** The list of tests that `npm test` leaves to CI is true: its files exist, and CONTRIBUTING.md names each with its reason. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { leftOfSuites, leftToAll, leftToCi } from '../setup/left-to-ci.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const guide = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');

it.each(leftToCi)('$files exists, and is documented', ({ files, reason }) => {
  expect(globSync(files, { cwd: root })).not.toEqual([]);
  expect(guide).toContain(`| \`${files.replace(/^test\//, '')}\` | ${reason} |`);
});

it.each([...leftOfSuites, ...leftToAll])('%s: is documented', (left) => {
  expect(guide.replaceAll('\n', ' ')).toContain(left);
});
