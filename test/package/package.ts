/** Packs the package and installs it in a temporary host, with links to the other packages of this checkout. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { subpaths } from '../../tools/package/entries.ts';
import { packInto } from '../../tools/package/pack.ts';
import { inOneProcess } from '../setup/one-process.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Builds `dist` unless it is whole; files in other processes wait for the one that builds. */
export function ensureBuilt(): void {
  inOneProcess('build', () => {
    if (existsSync(path.join(root, 'dist/cjs/package.json'))) return;
    execFileSync(process.execPath, ['tools/build.ts'], { cwd: root, stdio: 'inherit' });
  });
}

/** The parts of `package.json` that the tests use. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: { readonly [command: string]: string };
  readonly exports: { readonly [subpath: string]: unknown };
  readonly typesVersions: unknown;
  readonly peerDependencies: { readonly [name: string]: string };
  readonly peerDependenciesMeta: { readonly [name: string]: { readonly optional?: boolean } };
}

export const manifest = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as Manifest;

/** Import specifiers of the exported modules. */
export const specifiers: readonly string[] = Object.keys(subpaths).map((subpath) =>
  path.posix.join(manifest.name, subpath),
);

/** A project with the packed package and links to other packages of this checkout. */
export interface Host {
  readonly directory: string;
  readonly tarball: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  /** Paths in the installed folder of the package. */
  readonly installed: string;
  write(name: string, text: string): string;
  /** Runs a module in a new process and parses its output as JSON. */
  run(code: string): unknown;
  remove(): void;
}

/** Packages that a host needs to import every subpath. */
const allPackages = [
  '@nestjs',
  'drizzle-orm',
  'express',
  'hono',
  'knex',
  'reflect-metadata',
  'rxjs',
  'typeorm',
  '@types',
];

/** A host with the package and only these peers. */
export const installedWith = (...peers: readonly string[]): Host => installed(peers);

/** Packs the package and installs it together with `packages`. */
export function installed(packages: readonly string[] = allPackages): Host {
  ensureBuilt();
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-package-')));
  const { tarball, files } = packInto(directory);
  const modules = path.join(directory, 'node_modules');
  const own = path.join(modules, manifest.name);
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'], { cwd: directory });
  for (const name of packages) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  const write = (name: string, text: string): string => {
    const file = path.join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  write('package.json', JSON.stringify({ type: 'module' }));
  return {
    directory,
    tarball,
    files,
    installed: own,
    write,
    run: (code) => {
      const file = write('run.mjs', code);
      // Programs of a host compile what they import.
      const { NODE_COMPILE_CACHE: _, ...env } = process.env;
      const printed = execFileSync(process.execPath, [file], {
        cwd: directory,
        encoding: 'utf8',
        env,
      });
      return JSON.parse(printed) as unknown;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The names that importing a specifier gives, and the URLs of all modules that it loads, including those of Node. */
export interface Imported {
  readonly names: readonly string[];
  readonly loaded: readonly string[];
}

/** Code that imports the specifier and prints an `Imported`. */
export function importing(specifier: string): string {
  return `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const names = Object.keys(await import('${specifier}')).sort();
    console.log(JSON.stringify({ names, loaded }));
  `;
}

/** The `file:` URL of a folder, ending in a slash. */
export const addressOf = (folder: string): string => pathToFileURL(`${folder}${path.sep}`).href;
