/**
 * `npm run matrix -- [--adapter drizzle|typeorm|prisma] [--database postgresql|mysql|sqlite] [--image mysql:8.4]
 * [--long] [--all]`: the corpus on the chosen cells, and the closing table. `--image` puts the MySQL cells on a
 * container of that image; without any choice, MySQL 8.4 and MariaDB 11 follow the twelve cells where Docker
 * answers. `--long` adds 50,000 generated requests per cell. With `--all` a cell that cannot be had is a failure.
 */

import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { dockerAnswers, startMysqlImage } from '../services/index.ts';

const adapters = ['drizzle', 'typeorm', 'prisma', 'sql'];
const databases = ['postgresql', 'mysql', 'sqlite'];
/** Servers beside the one that tests find. */
const images = ['mysql:8.4', 'mariadb:11'];

const { values } = parseArgs({
  options: {
    adapter: { type: 'string', multiple: true },
    database: { type: 'string', multiple: true },
    image: { type: 'string', multiple: true },
    long: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const { adapter = adapters, image } = values;
const database = values.database ?? (image ? ['mysql'] : databases);

refuseOther('adapter', adapter, adapters);
refuseOther('database', database, databases);
if (image && database.join() !== 'mysql') fail('An image is for the MySQL cells; choose no other.');
if (values.all) process.env['SLUICE_ALL'] = '1';

if (image) {
  for (const one of image) await runOnImage(one);
} else {
  await run(database);
  if (!values.adapter && !values.database) await runFurther();
}

async function run(on: readonly string[]): Promise<void> {
  const cells = `(?:${adapter.join('|')}) on (?:${on.join('|')})`;
  const files = ['test/matrix/corpus.test.ts'];
  if (values.long) {
    process.env['SLUICE_REQUESTS'] ??= '50000';
    process.env['SLUICE_CELLS'] = cells;
    files.push(...on.map((family) => `test/matrix/differential-${family}.test.ts`));
  }
  const testNamePattern = `^(?:reference|generated|${cells}) `;
  const vitest = await startVitest('test', files, { watch: false, testNamePattern });
  await vitest.close();
}

async function runFurther(): Promise<void> {
  if (dockerAnswers()) {
    for (const one of images) await runOnImage(one);
  } else {
    console.log(`Further cells, on ${images.join(' and ')}, need Docker; they did not run.`);
  }
}

async function runOnImage(one: string): Promise<void> {
  const service = await startMysqlImage(one);
  if (!service)
    fail(`No container of ${one}: Docker does not answer, or the server did not start.`);
  process.env['SLUICE_MYSQL_URL'] = service.url;
  console.log(`MySQL cells on a container of ${one}`);
  try {
    await run(['mysql']);
  } finally {
    await service.dispose();
  }
}

function refuseOther(what: string, given: readonly string[], known: readonly string[]): void {
  if (given.every((name) => known.includes(name))) return;
  fail(`There is no ${what} of that name; choose of ${known.join(', ')}.`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
