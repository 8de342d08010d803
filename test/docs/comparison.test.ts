/** The comparison of the documents names what the bench compares, in the versions that it installs. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { libraries, mistakeTitles } from '../../bench/peers/libraries.ts';
import { outcomeOf } from '../../bench/peers/refusals.ts';
import { read } from './documents.ts';

const page = read('docs/comparison.md');
const lock = JSON.parse(
  readFileSync(new URL('../../bench/peers/package-lock.json', import.meta.url), 'utf8'),
) as { packages: Readonly<Record<string, { readonly version: string }>> };
const sections = new Map(
  page.split('\n## ').map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
const rowOf = (section: string, name: string): string | undefined =>
  sections
    .get(section)
    ?.split('\n')
    .find((line) => line.replaceAll('**', '').startsWith(`| ${name} |`));

it.each(libraries.slice(2))('$name has its rows, and its version', ({ name, packages }) => {
  for (const section of ['Lists', 'Requests that are wrong', 'What they do better']) {
    expect([section, rowOf(section, name)]).toEqual([section, expect.any(String)]);
  }
  const version = lock.packages[`node_modules/${packages[0]}`]?.version;
  expect(rowOf('Installation', name)).toContain(`| ${version} |`);
});

it.each([
  ['bull-board', '@bull-board/express'],
  ["pg-boss's dashboard", '@pg-boss/dashboard'],
])('the board %s has its rows, and its version', (name, installed) => {
  for (const section of ['Boards', 'What they do better']) {
    expect([section, rowOf(section, name)]).toEqual([section, expect.any(String)]);
  }
  const version = lock.packages[`node_modules/${installed}`]?.version;
  expect(rowOf('Installation', name)).toContain(`| ${version} |`);
});

it('has a column for each mistake', () => {
  expect(sections.get('Requests that are wrong')).toContain(
    `|  | ${Object.values(mistakeTitles).join(' | ')} |`,
  );
});

it.each([
  ['misspelt', 400, {}, 'refused'],
  ['misspelt', 200, { errors: [{}] }, 'refused'],
  ['notANumber', 500, {}, 'fails, 500'],
  ['misspelt', 200, { data: [{}, {}], total: 9 }, 'ignored: all rows'],
  ['hidden', 200, { data: [{}], total: 1 }, 'applied: 1 row'],
  ['noLimit', 200, { data: [{}, {}], total: 9 }, '2 rows'],
] as const)('an answer to %s with %i and %j is %s', (mistake, status, answer, outcome) => {
  const [reference] = libraries;
  if (!reference) throw new Error('There is no library.');
  expect(outcomeOf(reference, mistake, { status, body: JSON.stringify(answer) }, 9)).toBe(outcome);
});
