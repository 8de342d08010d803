/** Packs what `npm pack` publishes without touching the package.json of this repository, so that tests may share it. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedManifest } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A tarball, and the paths of the files in it. */
export interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

/** Packs `dist` as it is, and the documents, into a folder. */
export function packInto(folder: string): Packed {
  const staging = path.join(folder, 'staging');
  mkdirSync(staging, { recursive: true });
  const documents = ['docs', 'skills', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];
  for (const part of ['dist', ...documents]) {
    cpSync(path.join(root, part), path.join(staging, part), { recursive: true });
  }
  const manifest = packedManifest(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(staging, 'package.json'), manifest);
  const printed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: staging, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  rmSync(staging, { recursive: true });
  const [{ filename, files }] = JSON.parse(printed) as [
    { filename: string; files: readonly { readonly path: string }[] },
  ];
  return { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
}
