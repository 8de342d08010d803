/**
 * `npm run matrix -- [--adapter drizzle|typeorm|prisma] [--database postgresql|mysql|sqlite] [--long] [--all]`:
 * the corpus on the chosen cells, and the closing table. `--long` adds 50,000 generated requests per cell.
 * With `--all` a cell that cannot be had is a failure.
 */

import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const adapters = ['drizzle', 'typeorm', 'prisma'];
const databases = ['postgresql', 'mysql', 'sqlite'];

const { values } = parseArgs({
  options: {
    adapter: { type: 'string', multiple: true },
    database: { type: 'string', multiple: true },
    long: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const { adapter = adapters, database = databases } = values;

refuseOther('adapter', adapter, adapters);
refuseOther('database', database, databases);
if (values.all) process.env['SLUICE_ALL'] = '1';

const files = ['test/matrix/corpus.test.ts'];
if (values.long) {
  process.env['SLUICE_FUZZ_RUNS'] ??= '50000';
  process.env['SLUICE_FUZZ_CELLS'] = `(?:${adapter.join('|')}) on (?:${database.join('|')})`;
  files.push('test/matrix/differential.test.ts');
}

const vitest = await startVitest('test', files, {
  watch: false,
  testNamePattern: `^(?:reference|generated|(?:${adapter.join('|')}) on (?:${database.join('|')})) `,
});
await vitest.close();

function refuseOther(what: string, given: readonly string[], known: readonly string[]): void {
  if (given.every((name) => known.includes(name))) return;
  console.error(`There is no ${what} of that name; choose of ${known.join(', ')}.`);
  process.exit(2);
}
