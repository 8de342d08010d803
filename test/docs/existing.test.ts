/** The page on existing databases tells the lines of its programs. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { programOf } from '../existing/first-answer.ts';

const page = readFileSync(new URL('../../docs/existing.md', import.meta.url), 'utf8');

it('counts the lines of its programs', () => {
  const told = [...page.matchAll(/^\| .*\]\(#(\w[\w-]*)\) \| (\d+) \|$/gm)];
  const counted = [...page.matchAll(/^## (.*)\n[^#]*?```js\n\/\/ (\w+)\.js$/gm)].map(
    ([, heading = '', application = '']) => [
      heading.toLowerCase().replaceAll(',', '').replaceAll(' ', '-'),
      String(linesOf(programOf(application))),
    ],
  );
  expect(told.map(([, anchor, lines]) => [anchor, lines])).toEqual(counted);
  expect(told).toHaveLength(4);
});

const linesOf = (code: string): number =>
  code.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;
