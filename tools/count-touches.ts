/** Prints the files to touch for a new operator, database, ORM or framework, as the compiler names them. */

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Change,
  filesOf,
  newAdapter,
  newFamily,
  newOperator,
  newOperatorForm,
  placesLeft,
} from './touches.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** Files and lines of a folder, or of one file. */
async function sizeOf(...parts: readonly string[]): Promise<string> {
  const entries = await readdir(path.join(src, ...parts), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
  );
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return `${files.length} files, ${lines} lines`;
}

async function print(title: string, before: string, changes: readonly Change[]): Promise<void> {
  const made = [...new Set(changes.map(({ file }) => file))];
  const left = filesOf(await placesLeft(changes)).filter((file) => !made.includes(file));
  console.log(`${title} (before: ${before})`);
  for (const file of made) console.log(`  changed  ${file}`);
  for (const file of left) console.log(`  named    ${file}`);
}

await print('A new operator of a form that exists', '10 files, of which the compiler named 1', [
  newOperator,
]);
await print('A new form of operators', 'not counted', newOperatorForm);
await print('A new database, beside its folder', '39 files', [newFamily]);
await print('A new ORM, whose folder describes and executes', '2,100 to 3,500 lines', [newAdapter]);
console.log('Folders of their own, to compare');
for (const name of await readdir(path.join(src, 'relational/databases'))) {
  console.log(`  database   ${name}: ${await sizeOf('relational/databases', name)}`);
}
for (const name of await readdir(path.join(src, 'adapters'))) {
  console.log(`  ORM        ${name}: ${await sizeOf('adapters', name)}`);
}
for (const name of await readdir(path.join(src, 'http'))) {
  console.log(`  framework  ${name}: ${await sizeOf('http', name)}`);
}
