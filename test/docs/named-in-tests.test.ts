/** Each option, flag and metric that the documents name, and each public value, is named by a test. */

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';
import { documents, pages, read } from './documents.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

const own = ['test/docs/named-in-tests.test.ts', 'test/docs/headings.test.ts'];
const tests = globSync('test/**/*.{ts,tsx,js,cjs,mjs}', { cwd })
  .filter((file) => !own.includes(file))
  .map(read)
  .join('\n');
const named = new Set(tests.match(/--[a-z][a-z-]*|[A-Za-z_$][\w$]*/g));

/** Pages whose tables have names of another package on the left, and those of Sluice on the right. */
const comingFrom = [
  'bull-board',
  'nestjs-paginate',
  'crud',
  'nestjs-query',
  'postgrest',
  'arena',
  'pg-boss-dashboard',
].map((page) => `docs/${page}.md`);

/** The names in the first column of the tables of a document, or in the second one. */
function namesOf(text: string, isSecond: boolean): string[] {
  const cells = [
    ...text.matchAll(
      isSecond ? /^\| [^|]+ \| (?<cell>`[^|]+`[^|]*) \|/gm : /^\| (?<cell>`[^|]+`[^|]*) \|/gm,
    ),
  ];
  return cells.flatMap(({ groups }) =>
    [...(groups?.['cell'] ?? '').matchAll(/`(?<code>[^`]+)`/g)].flatMap((match) => {
      const code = match.groups?.['code'] ?? '';
      const name = /^[A-Za-z_$][\w.$]*(?=$|[(:?])/.exec(code)?.[0];
      return [...(code.match(/--[a-z][a-z-]*/g) ?? []), ...(name?.split('.') ?? [])];
    }),
  );
}

it.each(pages)('the names in tables of %s', (file) => {
  const names = namesOf(read(file), comingFrom.includes(file));
  expect(names.filter((name) => name !== '' && !named.has(name))).toEqual([]);
});

const source = new Set(
  globSync('src/**/*.{ts,tsx}', { cwd })
    .filter((file) => !file.includes('generated'))
    .map(read)
    .join('\n')
    .match(/[A-Za-z_$][\w$]*/g),
);

/** Names in the text that are not of Sluice: of the database, of a framework, or of an example. */
const ofOthers: ReadonlySet<string> = new Set([
  'ASC',
  'DECIMAL',
  'USAGE',
  'VARCHAR',
  'json_table',
  'max_statement_time',
  'to_json',
  'c1',
  'Allow',
  'acr',
  'amr',
  'baseUrl',
  'upsert',
  'ER_UNKNOWN_COM_ERROR',
  'maxLimit',
  // Members and headers of other libraries.
  'eager',
  'Prefer',
  '$primary',
  'queryKey',
  // Tokens of the dashboard's theme, which its pictures show.
  'bg',
  'dim',
  'panel',
  // Shown through their use: by an ORM with replicas, mounts that compress, screens, and runs.
  '$replica',
  'compress',
  'jobSchedulers',
  'oneServer',
  'sluice_kvq_runs',
]);

/** The names of Sluice in the text of a document, beside its tables, and the flags of its commands. */
function toldIn(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '');
  const spans = [...prose.matchAll(/`(?<name>[A-Za-z_$][\w$.]*)(?:\(.*?\))?(?:: [^`]*)?`/g)];
  const calls = text.matchAll(/\bboards?(?:\.kvq|\.pgq)?\.(?<name>\w+)\(/g);
  const commands = text.match(/^.*\bsluice (?:board|companions|demo|openapi|rules).*$/gm) ?? [];
  return [...spans, ...calls]
    .flatMap(({ groups }) => groups?.['name']?.split('.') ?? [])
    .filter((name) => source.has(name))
    .concat(commands.join(' ').match(/--[a-z][a-z-]*/g) ?? []);
}

it.each(documents)('the names in the text of %s', (file) => {
  const missing = toldIn(read(file)).filter((name) => !named.has(name) && !ofOthers.has(name));
  // The settings of the program are named by their flags.
  expect(missing.filter((name) => !name.startsWith('BOARD_'))).toEqual([]);
});

it.each(Object.entries(subpaths))('the values of %s', async (_subpath, module) => {
  const values = (await import(`${cwd}src/${module}.ts`)) as object;
  expect(Object.keys(values).filter((name) => !named.has(name))).toEqual([]);
});
