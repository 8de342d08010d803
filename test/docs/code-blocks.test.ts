/** Every TypeScript block of the documents compiles against the package's own names. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
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

/** What the compiler says of the blocks, or nothing. */
async function compile(blocks: ReadonlyMap<string, string>, document: string): Promise<string> {
  const place = path.join(folder, path.basename(document, '.md'));
  mkdirSync(place);
  await generateExample(document, place);
  for (const [file, block] of blocks) writeFileSync(path.join(place, file), block);
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
    compilerOptions: { paths, noUnusedLocals: false },
    include: ['*.ts'],
  };
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(config));
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json'));
  try {
    execFileSync(process.execPath, [path.join(path.dirname(tsc), 'bin/tsc'), '-p', place], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

describe('code blocks', () => {
  it.each(documents)('of %s compile', async (document) => {
    const blocks = blocksOf(document);
    if (blocks.size > 0) expect(await compile(blocks, document)).toBe('');
  });

  it('are found', () => {
    expect(blocksOf('README.md').size).toBeGreaterThan(0);
  });
});
