/** Every TypeScript block of the documents compiles against the package. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';
import { compile } from '../../tools/tsc.ts';
import { blocksOf, documents as pages } from './documents.ts';
import { generateExample } from './prisma-example.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Inside the project, so that imports of the blocks resolve to its packages.
mkdirSync(`${root}.scratch`, { recursive: true });
const folder = mkdtempSync(`${root}.scratch/docs-`);
afterAll(() => rmSync(folder, { recursive: true }));

const documents = [...pages, 'skills/board/SKILL.md', 'skills/lists/SKILL.md'];

/** The folder for the blocks of a document. */
const folderOf = (document: string): string =>
  path.join(folder, document.replace(/\.md$/, '').replaceAll('/', '-'));

const config = {
  extends: `${root}tsconfig.json`,
  compilerOptions: {
    paths: Object.fromEntries(
      Object.entries(subpaths).map(([subpath, module]) => [
        path.posix.join('sluice', subpath),
        [`${root}src/${module}.ts`],
      ]),
    ),
    noUnusedLocals: false,
    // Makes blocks without imports modules, so that two of them may use the same name.
    moduleDetection: 'force',
    jsx: 'react-jsx',
  },
};

/** Compiles the blocks of documents as one program and returns the lines of the errors. */
async function compileBlocks(name: string, of: readonly string[], lib?: object): Promise<string[]> {
  const include = of.map((document) => `${path.basename(folderOf(document))}/**/*`);
  const compilerOptions = { ...config.compilerOptions, ...lib };
  const project = path.join(folder, name);
  writeFileSync(project, JSON.stringify({ ...config, compilerOptions, include }));
  return (await compile(folder, '-p', project)).split('\n').filter((line) => line !== '');
}

/** Writes the blocks of all documents, and compiles them; those for browsers have the types of browsers. */
async function compileAll(): Promise<string[]> {
  for (const document of documents) {
    const target = folderOf(document);
    mkdirSync(target);
    await generateExample(document, target);
    for (const [file, block] of blocksOf(document)) writeFileSync(path.join(target, file), block);
  }
  const isForBrowsers = (document: string): boolean =>
    [...blocksOf(document).keys()].some((file) => file.endsWith('.tsx'));
  const lib = ['es2023', 'es2024.collection', 'es2024.string', 'dom', 'dom.iterable'];
  const others = documents.filter((document) => !isForBrowsers(document));
  return [
    ...(await compileBlocks('tsconfig.json', others)),
    ...(await compileBlocks('browsers.json', documents.filter(isForBrowsers), { lib })),
  ];
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
