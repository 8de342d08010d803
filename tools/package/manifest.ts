/**
 * The package.json of the tarball. As a script: `npm pack` and `npm publish` run `prepare` before they pack, and
 * `restore` afterwards.
 */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = path.join(root, 'package.json');
const kept = path.join(root, '.scratch', 'package.json');

/** Members of package.json that mean something in this repository only. */
const ownMembers = ['scripts', 'devDependencies', 'overrides', 'allowScripts'];

/** The text of package.json without the members that users have no use for. */
export function packedManifest(text: string): string {
  const members = Object.entries(JSON.parse(text) as object);
  const packed = Object.fromEntries(members.filter(([name]) => !ownMembers.includes(name)));
  return `${JSON.stringify(packed, null, 2)}\n`;
}

/** Replaces package.json until `restore`. */
function prepare(): void {
  // An earlier pack that was ended half-way has left the complete file here.
  if (existsSync(kept)) restore();
  mkdirSync(path.dirname(kept), { recursive: true });
  copyFileSync(manifest, kept);
  writeFileSync(manifest, packedManifest(readFileSync(manifest, 'utf8')));
}

function restore(): void {
  copyFileSync(kept, manifest);
  rmSync(kept);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const step = { prepare, restore }[process.argv[2] ?? ''];
  if (!step) throw new Error('usage: node tools/package/manifest.ts prepare | restore');
  step();
}
