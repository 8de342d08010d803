/**
 * `npm run matrix -- [--adapter drizzle] [--database postgresql|mysql|sqlite] [--all]`: the corpus on the
 * chosen cells, and the closing table. With `--all` a cell that cannot be had is a failure.
 */

import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** The test file of each adapter; the reference is always held to the corpus beside them. */
const adapters: ReadonlyMap<string, string> = new Map([['drizzle', 'test/matrix/drizzle.test.ts']]);
const databases = ['postgresql', 'mysql', 'sqlite'];

const { values } = parseArgs({
  options: {
    adapter: { type: 'string', multiple: true },
    database: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
  },
});
const { adapter = [...adapters.keys()], database = databases } = values;

const files = adapter.map((name) => {
  const file = adapters.get(name);
  if (!file)
    fail(`There is no adapter of that name; choose of ${[...adapters.keys()].join(', ')}.`);
  return file;
});
if (database.some((name) => !databases.includes(name))) {
  fail(`There is no database of that name; choose of ${databases.join(', ')}.`);
}
if (values.all) process.env['SLUICE_ALL'] = '1';

const vitest = await startVitest('test', files, {
  watch: false,
  testNamePattern: `^(?:reference|(?:${adapter.join('|')}) on (?:${database.join('|')})) `,
});
await vitest.close();

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
