/** Every TypeScript block of the documents compiles against the package's own names. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateExample } from './prisma-example.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Inside the project, so that the blocks find its packages.
mkdirSync(`${root}.scratch`, { recursive: true });
const folder = mkdtempSync(`${root}.scratch/docs-`);
afterAll(() => rmSync(folder, { recursive: true }));

const documents = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The blocks of a document by file name: the one its first line names, else a numbered one. */
function blocksOf(document: string): ReadonlyMap<string, string> {
  const text = readFileSync(root + document, 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  return new Map(
    blocks.map((block, index) => [
      /^\/\/ (\S+\.ts)\n/.exec(block)?.[1] ?? `block-${index}.ts`,
      block,
    ]),
  );
}

/** Where the blocks of a document are written. */
const placeOf = (document: string): string => path.join(folder, path.basename(document, '.md'));

/** Compiles the blocks of all documents as one program; the errors, by line. */
async function compileAll(): Promise<string[]> {
  for (const document of documents) {
    const place = placeOf(document);
    mkdirSync(place);
    await generateExample(document, place);
    for (const [file, block] of blocksOf(document)) writeFileSync(path.join(place, file), block);
  }
  const paths = {
    sluice: [`${root}src/index.ts`],
    'sluice/drizzle': [`${root}src/adapters/drizzle/index.ts`],
    'sluice/prisma': [`${root}src/adapters/prisma/index.ts`],
    'sluice/typeorm': [`${root}src/adapters/typeorm/index.ts`],
    'sluice/sql': [`${root}src/adapters/sql/index.ts`],
    'sluice/express': [`${root}src/http/express/index.ts`],
    'sluice/board': [`${root}src/board/index.ts`],
    'sluice/companions': [`${root}src/relational/companions/index.ts`],
    'sluice/auth': [`${root}src/auth/index.ts`],
  };
  const config = {
    extends: `${root}tsconfig.json`,
    // Blocks without imports of two documents may use one name.
    compilerOptions: { paths, noUnusedLocals: false, moduleDetection: 'force' },
    include: ['**/*.ts'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json'));
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(path.dirname(tsc), 'bin/tsc'), '-p', folder, '--pretty', 'false'],
    { cwd: folder, encoding: 'utf8' },
  );
  return stdout.split('\n').filter((line) => line !== '');
}

describe('code blocks', () => {
  let errors: readonly string[];
  beforeAll(async () => {
    errors = await compileAll();
  });

  it.each(documents)('of %s compile', (document) => {
    const place = path.basename(placeOf(document));
    expect(errors.filter((line) => line.startsWith(`${place}/`))).toEqual([]);
  });

  it('are found, and nothing else has errors', () => {
    expect(blocksOf('README.md').size).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });
});
