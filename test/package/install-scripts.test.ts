/**
 * A clone installs without a compiler. npm compiles each package with a `binding.gyp` and no script of its own, even one
 * that ships its binaries and says `"gypfile": false`: `npm ci` reads that field from package-lock.json only, where npm
 * does not write it, and `allowScripts` from npm 11 on.
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from './package.ts';

interface Manifest {
  readonly gypfile?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as unknown;
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const { packages } = read('package-lock.json') as { packages: Record<string, Manifest> };
const native = Object.keys(packages).filter(
  (folder) => folder !== '' && globSync(`${folder}/binding.gyp`, { cwd: root }).length > 0,
);

it('denies the script of every package that could be compiled', () => {
  const names = native.map((folder) => folder.slice(folder.lastIndexOf('node_modules/') + 13));
  expect(names).toContain('better-sqlite3');
  expect(names.filter((name) => allowScripts[name] !== false)).toEqual([]);
});

it('tells every npm which packages ship their binaries', () => {
  const shipped = native.filter(
    (folder) => (read(`${folder}/package.json`) as Manifest).gypfile === false,
  );
  expect(shipped).toContain('node_modules/better-sqlite3');
  expect(shipped.filter((folder) => packages[folder]?.gypfile !== false)).toEqual([]);
});
