/** Every TypeScript block of the documents compiles against the package. */

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';
import { compile } from '../../tools/tsc.ts';
import { generateExample } from './prisma-example.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Inside the project, so that imports of the blocks resolve to its packages.
mkdirSync(`${root}.scratch`, { recursive: true });
const folder = mkdtempSync(`${root}.scratch/docs-`);
afterAll(() => rmSync(folder, { recursive: true }));

const documents = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'skills/board/SKILL.md',
  'skills/lists/SKILL.md',
];

/** The blocks of a document by file name: the name in the first line, otherwise a number. */
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

/** The folder for the blocks of a document. */
const folderOf = (document: string): string =>
  path.join(folder, document.replace(/\.md$/, '').replaceAll('/', '-'));

/** Compiles the blocks of all documents as one program and returns the lines of the errors. */
async function compileAll(): Promise<string[]> {
  for (const document of documents) {
    const target = folderOf(document);
    mkdirSync(target);
    await generateExample(document, target);
    for (const [file, block] of blocksOf(document)) writeFileSync(path.join(target, file), block);
  }
  const paths = Object.fromEntries(
    Object.entries(subpaths).map(([subpath, module]) => [
      path.posix.join('sluice', subpath),
      [`${root}src/${module}.ts`],
    ]),
  );
  const config = {
    extends: `${root}tsconfig.json`,
    // Makes blocks without imports modules, so that two of them may use the same name.
    compilerOptions: { paths, noUnusedLocals: false, moduleDetection: 'force' },
    include: ['**/*.ts'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  return (await compile(folder, '-p', folder)).split('\n').filter((line) => line !== '');
}

describe('code blocks', () => {
  let errors: readonly string[];
  beforeAll(async () => {
    errors = await compileAll();
  });

  it.each(documents)('of %s compile', (document) => {
    const target = path.basename(folderOf(document));
    expect(errors.filter((line) => line.startsWith(`${target}/`))).toEqual([]);
  });

  it('exist, and no other file has errors', () => {
    expect(blocksOf('README.md').size).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });
});
