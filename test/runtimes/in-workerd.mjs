/** Runs the worker in workerd, as Miniflare starts it, with a D1 database. */

import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { answersOf, cities, expected } from './lists.mjs';

const { outputFiles } = await build({
  entryPoints: [`${import.meta.dirname}/worker.mjs`],
  bundle: true,
  // An import of a module of Node.js fails on this platform.
  platform: 'neutral',
  conditions: ['workerd', 'worker', 'import'],
  mainFields: ['module', 'main'],
  format: 'esm',
  write: false,
  logLevel: 'error',
});
const runtime = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }],
  compatibilityDate: '2026-07-01',
  d1Databases: { DB: 'cities' },
});
try {
  const database = await runtime.getD1Database('DB');
  await database.exec('create table city (id integer primary key, name text not null)');
  const rows = cities.map((city, index) => `(${index + 1}, '${city}')`).join();
  await database.exec(`insert into city values ${rows}`);
  console.log('workerd');
  for (const [host, what] of [
    ['drizzle.local', 'lists of Drizzle on D1'],
    ['sql.local', 'lists on D1'],
  ]) {
    const answers = await answersOf((path, init) =>
      runtime.dispatchFetch(`http://${host}${path}`, init),
    );
    assert.deepEqual(answers, expected, what);
    console.log(`  ${what}: ok`);
  }
} finally {
  await runtime.dispose();
}
