/** Every file that reads private parts of a package is in the list of `ARCHITECTURE.md`, with its versions and its tests. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The rows of the list: package, versions, parts, effect, file and tests. */
const rows = textOf('ARCHITECTURE.md')
  .split('\n')
  .filter((line) => line.includes('/foreign.ts` |'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );

it('lists the files', () => {
  const files = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('/foreign.ts'));
  expect(files.length).toBeGreaterThan(5);
  expect(rows.map((cells) => cells[4]).toSorted()).toEqual(files.toSorted());
});

it.each(rows)('%s %s', (_name, versions, _parts, _effect, file, tests) => {
  const [comment = ''] = textOf(`src/${file}`).split('*/', 1);
  expect(comment.replaceAll('\n * ', ' ')).toContain(`as ${versions} ha`);
  expect(tests?.split(', ').filter((test) => !existsSync(new URL(test, root)))).toEqual([]);
});
