/**
 * Checks the direction of imports: a folder imports only from the folders below it and only through their entry files,
 * and the core imports neither packages nor Node.js modules. Checks the sizes of files and folders, too.
 */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { subpaths } from './package/entries.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** The folders that each folder may import from, besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  schema: ['lib'],
  rules: ['lib', 'schema'],
  client: ['lib', 'schema', 'rules'],
  relational: ['lib', 'schema', 'rules'],
  'adapters/drizzle': ['lib', 'schema', 'rules', 'relational'],
  'adapters/typeorm': ['lib', 'schema', 'rules', 'relational'],
  'adapters/prisma': ['lib', 'schema', 'rules', 'relational'],
  'adapters/sql': ['lib', 'schema', 'rules', 'relational'],
  'board/contract': ['lib', 'schema'],
  'board/core': ['lib', 'board/contract'],
  'board/filters': ['schema', 'rules', 'board/core'],
  'board/pgq': [
    'lib',
    'schema',
    'rules',
    'relational',
    'adapters/sql',
    'board/contract',
    'board/core',
    'board/filters',
  ],
  'board/kvq': [
    'lib',
    'schema',
    'rules',
    'adapters/sql',
    'board/contract',
    'board/core',
    'board/filters',
  ],
  board: ['lib', 'board/contract', 'board/core', 'board/kvq', 'board/pgq'],
  metrics: [
    'lib',
    'schema',
    'adapters/sql',
    'board/contract',
    'board/core',
    'board/kvq',
    'board/pgq',
  ],
  auth: ['lib'],
  migrate: ['lib', 'schema', 'rules'],
  'migrate/bull-board': ['board'],
  http: ['lib', 'schema', 'rules', 'board/core'],
  'http/board': ['board', 'http'],
  'http/nestjs': ['lib', 'schema', 'rules', 'board', 'http'],
  cli: [
    'lib',
    'schema',
    'relational',
    'rules',
    'adapters/sql',
    'auth',
    'board',
    'board/core',
    'board/kvq',
    'board/pgq',
    'http',
    'metrics',
  ],
  // The page imports types alone of the contract.
  dashboard: ['client', 'board/contract', 'board/filters'],
  '.': ['lib', 'schema', 'rules'],
};

/**
 * Entry files of a folder besides its `index.ts`: modules that a subpath of the package exports directly, and what other
 * folders need beside the names of a subpath.
 */
const entryFiles: Readonly<Record<string, readonly string[]>> = {
  // Loaded with its first use.
  'board/contract': ['openapi/document.ts'],
  lib: ['option-rows.ts'],
  // The page has no requests to read.
  'board/filters': ['clock.ts', 'where.ts'],
  'adapters/sql': ['conditions.ts', 'executors/recognise.ts'],
  // Adapters do not load the descriptions.
  rules: ['client/index.ts', 'open-api/index.ts'],
  relational: ['companions/index.ts', 'profile/index.ts', 'tools/index.ts'],
  http: [
    'express/index.ts',
    'express/board.ts',
    'fastify/board.ts',
    'node/board-request.ts',
    'client-gone.ts',
    'query-error-options.ts',
    'endpoint/cache-headers.ts',
    'endpoint/no-body.ts',
    'endpoint/node-etag.ts',
    'list-request.ts',
  ],
};

/**
 * Subfolders of a folder, lowest first: a file imports only from its own subfolder and from those before it. Files of
 * the folder itself may stand in the list; all that is not named comes last.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  'board/pgq': ['connect', 'options.ts', 'schema', 'listings', 'reads', 'commands', 'handlers'],
  metrics: ['model', 'redis', 'sql', 'sources', 'library'],
  'board/kvq': [
    'timeouts.ts',
    'heavy-reads.ts',
    'model',
    'errors',
    'redis',
    'sql',
    'queue',
    'libraries',
    'custom',
    'present',
    'reads',
    'handlers',
  ],
};

/** Folders that import neither packages nor Node.js modules. */
const pure = new Set(['lib', 'schema', 'rules', 'client', 'relational', '.']);

/** The one folder where database families differ. */
const databases = path.join('relational', 'databases');
const comparesFamily = /\b[fF]amily\s*[!=]==?\s*'/;

const folders = Object.keys(below)
  .filter((folder) => folder !== '.')
  .sort((left, right) => right.length - left.length);

function folderOf(file: string): string {
  const relative = path.relative(src, file).split(path.sep).join('/');
  return folders.find((folder) => relative.startsWith(`${folder}/`)) ?? '.';
}

function isEntryFile(folder: string, file: string): boolean {
  return file === 'index.ts' || (entryFiles[folder]?.includes(file) ?? false);
}

/** The index of the layer that a file belongs to. */
function layerOf(folder: string, file: string): number {
  const order = layers[folder] ?? [];
  const [first = ''] = path.relative(path.join(src, folder), file).split(path.sep);
  const index = order.indexOf(first);
  return index < 0 ? order.length : index;
}

/** Modules of the subpaths, which export by name: what is public is a decision for each name. */
const publicModules = new Set(
  [...Object.values(subpaths), 'board/index'].map((module) => `${module}.ts`),
);
/** All names of a module, other than those of the board, which stand in its entry file. */
const exportsAll = /^export (type )?\* from '(?!\.\.\/\.\.\/board\/index\.ts)/m;

/** The most files of a folder, beside its subfolders. */
const mostFiles = 20;

const problems: string[] = [];
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => path.join(src, name));
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const folder = folderOf(file);
  const name = path.relative(src, file);
  if (text.split('\n').length > 400) problems.push(`${name}: more than 400 lines`);
  if (!/^(#!.*\n)?\/\*\*/.test(text))
    problems.push(`${name}: must begin with a comment that describes it`);
  if (/@throws (?!\{)/.test(text)) problems.push(`${name}: write @throws {Type} CODE when ...`);
  if (publicModules.has(name.split(path.sep).join('/')) && exportsAll.test(text)) {
    problems.push(`${name}: exports all names of a module; a subpath exports by name`);
  }
  if (!name.startsWith(databases) && comparesFamily.test(text)) {
    problems.push(`${name}: compares a database family; make the difference a fact of the family`);
  }
  const imports = text.matchAll(
    /(?:^|\n)(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|import\('([^']+)'\)/g,
  );
  for (const [, typeOnly, fromPath, dynamic] of imports) {
    const specifier = fromPath ?? dynamic ?? '';
    if (!specifier.startsWith('.')) {
      if (pure.has(folder) && !typeOnly) problems.push(`${name}: the core imports "${specifier}"`);
      continue;
    }
    const target = path.resolve(path.dirname(file), specifier);
    const targetFolder = folderOf(target);
    if (targetFolder === folder) {
      if (layerOf(folder, target) > layerOf(folder, file)) {
        problems.push(`${name}: imports ${specifier} from a layer above`);
      }
      continue;
    }
    if (!below[folder]?.includes(targetFolder)) {
      problems.push(`${name}: ${folder} may not import from ${targetFolder}`);
    } else if (!isEntryFile(targetFolder, path.relative(path.join(src, targetFolder), target))) {
      problems.push(`${name}: imports ${specifier} instead of an entry file of ${targetFolder}`);
    }
  }
}
for (const [folder, own] of Map.groupBy(files, (file) => path.dirname(file))) {
  const written = own.filter((file) => !file.includes('.generated.'));
  if (written.length <= mostFiles) continue;
  problems.push(
    `${path.relative(src, folder)}: more than ${mostFiles} files; divide it into rooms`,
  );
}
for (const problem of problems) console.error(problem);
console.log(`folders: ${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
