/**
 * `npm run matrix -- [--adapter drizzle|typeorm|prisma|sql] [--database postgresql|mysql|sqlite] [--image mysql:8.4]
 * [--long] [--all]`: the corpus on the chosen cells, and the closing table. `--image` puts the cells of a family on a
 * container of that image; without any choice, the cells on further servers follow. `--long` adds 50,000 generated
 * requests per cell. With `--all` a cell that cannot be had is a failure.
 */

import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { startMysqlImage, startPostgresqlImage } from '../services/index.ts';

const adapters = ['drizzle', 'typeorm', 'prisma', 'sql'];
const databases = ['postgresql', 'mysql', 'sqlite'];
/** The families that have images, by the first word of an image. */
const imaged = {
  mysql: { family: 'mysql', start: startMysqlImage, variable: 'SLUICE_MYSQL_URL' },
  mariadb: { family: 'mysql', start: startMysqlImage, variable: 'SLUICE_MYSQL_URL' },
  postgres: {
    family: 'postgresql',
    start: startPostgresqlImage,
    variable: 'SLUICE_POSTGRES_URL',
  },
} as const;

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
const database = values.database ?? databases;

refuseOther('adapter', adapter, adapters);
refuseOther('database', database, databases);
if (image && values.database) fail('An image says which cells run on it; choose no database.');
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
  const vitest = await startVitest('test', ['test/matrix/servers.test.ts'], { watch: false });
  await vitest.close();
}

async function runOnImage(one: string): Promise<void> {
  const name = one.split(':')[0] ?? '';
  refuseOther('image', [name], Object.keys(imaged));
  const { family, start, variable } = imaged[name as keyof typeof imaged];
  const service = await start(one);
  if (!service)
    fail(`No container of ${one}: no container engine answers, or the server did not start.`);
  process.env[variable] = service.url;
  console.log(`Cells on a container of ${one}`);
  try {
    await run([family]);
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
