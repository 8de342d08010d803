/** Runs the generators for the Prisma schema of a document, as `prisma generate` does. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runPrisma } from '../matrix/fixtures/prisma/generate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const generator = `${root}src/adapters/prisma/generator/main.ts`;

/** Writes the `prisma` blocks of a document, or the one of this file name, into a folder and generates from them. */
export async function generateExample(
  document: string,
  folder: string,
  only?: string,
): Promise<void> {
  const text = readFileSync(root + document, 'utf8');
  for (const [, schema = '', file] of text.matchAll(/^```prisma\n(\/\/ (\S+)\n.*?)^```/gms)) {
    if (only !== undefined && file !== only) continue;
    const own = schema.replace('"sluice-prisma"', `"${process.execPath} ${generator}"`);
    await writeFile(`${folder}/${file}`, own);
    await runPrisma(`${folder}/${file}`, 7);
  }
}
