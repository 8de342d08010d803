/** `sluice migrate`: the differences of the endpoints that a module exports, and its exit codes. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const imports = `
import { defineSchemaRegistry } from '${root}/src/index.ts';
import { fromNestjsPaginate } from '${root}/src/migrate/index.ts';
const registry = defineSchemaRegistry([{
  model: 'cat', primaryKey: ['id'], relations: [],
  fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
}]);`;

const runs = [
  [
    'one that differs',
    `${imports}
    export const cats = fromNestjsPaginate({ sortableColumns: ['id', 'size'] }, registry, 'cat');
    export const close = () => console.log('closed');`,
    1,
    'closed\ncats: sortableColumns: size is left out: not a path of the schema\nendpoints: 1, differences: 1\n',
  ],
  [
    'one that does not',
    `${imports} export const cats = fromNestjsPaginate({ sortableColumns: ['id'] }, registry, 'cat');`,
    0,
    'endpoints: 1, differences: 0\n',
  ],
  ['none', 'export const cats = {};', 2, ''],
] as const;

it.each(runs)('of a module with %s', (_name, source, status, printed) => {
  const file = path.join(folder, `${status}.ts`);
  writeFileSync(file, source);
  const main = path.join(root, 'src/cli/main.ts');
  const run = spawnSync(process.execPath, [main, 'migrate', file], { encoding: 'utf8' });
  expect([run.status, run.stdout]).toEqual([status, printed]);
});
