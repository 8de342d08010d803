/**
 * Holds the direction of dependencies: a folder imports only from folders below it, other folders only
 * through their door, and the core imports no package and no Node module at all.
 */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** What each folder may import, beside itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  'schema/companions': ['schema'],
  rules: ['schema'],
  'adapters/relational': ['schema', 'rules'],
  'adapters/relational/profile': ['schema', 'rules', 'adapters/relational'],
  'adapters/drizzle': ['schema', 'rules', 'adapters/relational', 'adapters/relational/profile'],
  'adapters/typeorm': ['schema', 'rules', 'adapters/relational', 'adapters/relational/profile'],
  'adapters/prisma': ['schema', 'rules', 'adapters/relational', 'adapters/relational/profile'],
  'http/express': ['schema', 'rules'],
  'board/contract': ['schema'],
  'board/core': ['board/contract'],
  'board/pgq': [
    'schema',
    'rules',
    'adapters/relational',
    'adapters/drizzle',
    'board/contract',
    'board/core',
  ],
  'board/kvq': ['schema', 'rules', 'adapters/drizzle', 'board/contract', 'board/core'],
  'board/servers': ['board/core'],
  board: ['board/contract', 'board/core', 'board/kvq', 'board/pgq', 'board/servers'],
  auth: [],
  cli: ['schema', 'schema/companions', 'rules'],
  '.': ['schema', 'rules'],
};

/** Folders that import nothing from outside. */
const pure = new Set([
  'schema',
  'rules',
  'adapters/relational',
  'adapters/relational/profile',
  '.',
]);

const folders = Object.keys(below)
  .filter((folder) => folder !== '.')
  .sort((left, right) => right.length - left.length);

function folderOf(file: string): string {
  const relative = path.relative(src, file).split(path.sep).join('/');
  return folders.find((folder) => relative.startsWith(`${folder}/`)) ?? '.';
}

const problems: string[] = [];
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join(src, name));
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const folder = folderOf(file);
  const name = path.relative(src, file);
  if (text.split('\n').length > 400) problems.push(`${name}: more than 400 lines`);
  if (!/^(#!.*\n)?\/\*\*/.test(text)) problems.push(`${name}: does not begin with what it is`);
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
    if (targetFolder === folder) continue;
    if (!below[folder]?.includes(targetFolder)) {
      problems.push(`${name}: ${folder} may not import from ${targetFolder}`);
    } else if (path.relative(path.join(src, targetFolder), target) !== 'index.ts') {
      problems.push(`${name}: imports ${specifier} past the door of ${targetFolder}`);
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(`folders: ${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
