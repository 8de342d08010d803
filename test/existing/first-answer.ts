/** Runs the programs of the page on existing databases, as they stand there, on a database with the rows of the tests. */

import { cp } from 'node:fs/promises';
import path from 'node:path';
import { exampleOf, runExample } from '../docs/run-example.ts';

/** The program of an application. */
export const programOf = (application: string): string =>
  exampleOf('docs/existing.md', `${application}.js`).code;

/**
 * The rows that the program of an application prints. `files` are those of its project: which file or folder stands
 * where.
 */
export async function firstAnswer(
  application: string,
  url: string,
  files: { readonly [to: string]: string } = {},
): Promise<readonly { readonly [field: string]: unknown }[]> {
  const code = programOf(application).replace('process.env.DATABASE_URL', JSON.stringify(url));
  const printed = await runExample({ code, output: '' }, async (folder) => {
    for (const [to, from] of Object.entries(files)) {
      await cp(from, path.join(folder, to), { recursive: true });
    }
  });
  return (JSON.parse(printed) as { data: { [field: string]: unknown }[] }).data;
}
