/** Runs the generators for the Prisma schema of a document, as `prisma generate` does. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runPrisma } from '../matrix/fixtures/prisma/generate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const generator = `${root}src/adapters/prisma/generator/main.ts`;

/** Writes the `prisma` block of a document, if it has one, into a folder and generates from it. */
export async function generateExample(document: string, folder: string): Promise<void> {
  const schema = /^```prisma\n(.*?)^```/ms.exec(readFileSync(root + document, 'utf8'))?.[1];
  if (schema === undefined) return;
  const own = schema.replace('"sluice-prisma"', `"${process.execPath} ${generator}"`);
  await writeFile(`${folder}/schema.prisma`, own);
  await runPrisma(`${folder}/schema.prisma`, 7);
}
