/** The size of an installation: the packages that npm brings for those that a project names. */

import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packInto } from '../../tools/package/pack.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = import.meta.dirname;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const manifestOf = (installed: string): Manifest =>
  JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Manifest;

/** Files take whole blocks of 4 KiB. */
const blocks = (file: string): number => Math.ceil(statSync(file).size / 4096) * 4096;

/** Bytes of a package, without the packages in it. */
function ownBytes(at: string): number {
  return readdirSync(at, { withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(at, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + ownBytes(file);
    return entry.isFile() ? sum + blocks(file) : sum;
  }, 0);
}

/** The folder of a package as Node.js finds it from another. */
function installedAt(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(folder); at = path.dirname(at)) {
    const found = path.join(at, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

/** The folders of packages and of all that they need. */
function closureOf(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const at = installedAt(name, from);
    if (at === undefined || found.has(at)) return;
    found.add(at);
    const manifest = manifestOf(at);
    const { dependencies, optionalDependencies, peerDependencies = {} } = manifest;
    const peers = Object.keys(peerDependencies).filter(
      (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
    );
    const needed = { ...dependencies, ...optionalDependencies };
    for (const each of [...Object.keys(needed), ...peers]) visit(each, at);
  };
  for (const name of names) {
    if (name !== 'sluice' && !existsSync(path.join(folder, 'node_modules', name))) {
      throw new Error(`${name} is not installed.`);
    }
    visit(name, folder);
  }
  return found;
}

/** Bytes of the packed package, which has no dependencies. */
function packedBytes(): number {
  const scratch = mkdtempSync(path.join(tmpdir(), 'sluice-peers-'));
  const { files } = packInto(scratch);
  rmSync(scratch, { recursive: true });
  return files.reduce((sum, file) => sum + blocks(path.join(root, file)), 0);
}

/** Megabytes and number of packages. */
export function installationOf(names: readonly string[]): { megabytes: number; packages: number } {
  const closure = closureOf(names);
  const own = names.includes('sluice') ? packedBytes() : 0;
  const bytes = [...closure].reduce((sum, at) => sum + ownBytes(at), own);
  return { megabytes: bytes / 1e6, packages: closure.size + (own > 0 ? 1 : 0) };
}

/** The version of a package. */
export const versionOf = (name: string): string =>
  manifestOf(name === 'sluice' ? root : (installedAt(name, folder) ?? folder)).version;
