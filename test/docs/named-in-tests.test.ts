/** Each option, flag and metric of a table of the documents, and each public value, is named by a test. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(`${cwd}${file}`, 'utf8');

const own = 'test/docs/named-in-tests.test.ts';
const tests = globSync('test/**/*.{ts,tsx,js,cjs,mjs}', { cwd })
  .filter((file) => file !== own)
  .map(read)
  .join('\n');
const named = new Set(tests.match(/--[a-z][a-z-]*|[A-Za-z_$][\w$]*/g));

/** The names in the first column of the tables of a document. */
function namesOf(text: string): string[] {
  const cells = [...text.matchAll(/^\| (?<cell>`[^|]+`[^|]*) \|/gm)];
  return cells.flatMap(({ groups }) =>
    [...(groups?.['cell'] ?? '').matchAll(/`(?<code>[^`]+)`/g)].flatMap((match) => {
      const code = match.groups?.['code'] ?? '';
      const name = /^[A-Za-z_$][\w.$]*(?=$|[(:?])/.exec(code)?.[0];
      return [...(code.match(/--[a-z][a-z-]*/g) ?? []), ...(name?.split('.') ?? [])];
    }),
  );
}

it.each(globSync('docs/*.md', { cwd }).toSorted())('the names in tables of %s', (file) => {
  expect(namesOf(read(file)).filter((name) => name !== '' && !named.has(name))).toEqual([]);
});

it.each(Object.entries(subpaths))('the values of %s', async (_subpath, module) => {
  const values = (await import(`${cwd}src/${module}.ts`)) as object;
  expect(Object.keys(values).filter((name) => !named.has(name))).toEqual([]);
});
