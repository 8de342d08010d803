/** The blocks of a guide as files of a folder, bundled with the sources of the package. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { blocksOf } from '../documents.ts';
import { sluiceSources } from '../run-example.ts';

const scratch = fileURLToPath(new URL('../../../.scratch/', import.meta.url));

/** The folder of the blocks of a guide. */
export interface Blocks {
  readonly folder: string;
  /** The blocks as the guide has them, by the name of their file. */
  readonly files: ReadonlyMap<string, string>;
  /** A bundle for Node.js of one of the files; the packages beside Sluice are imported. */
  program(file: string): Promise<string>;
  /** The exports of one of the files. */
  load<T>(file: string): Promise<T>;
  /** The text of a bundle for browsers of one of the files, with all of its packages. */
  script(file: string): Promise<string>;
  remove(): void;
}

/** Writes the blocks of a guide into a folder within the project, with further files of the test, and with changes. */
export function blocksIn(
  document: string,
  further: Readonly<Record<string, string>> = {},
  changed: (text: string) => string = (text) => text,
): Blocks {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(path.join(scratch, 'guide-'));
  const files = new Map([...blocksOf(document)].map(([file, text]) => [file, changed(text)]));
  for (const [file, text] of [...files, ...Object.entries(further)]) {
    writeFileSync(path.join(folder, file), text);
  }
  const common = { bundle: true, format: 'esm' as const, plugins: [sluiceSources] };
  const program = async (file: string): Promise<string> => {
    const outfile = path.join(folder, `${path.parse(file).name}.bundle.mjs`);
    const entryPoints = [path.join(folder, file)];
    await build({ ...common, entryPoints, outfile, platform: 'node', packages: 'external' });
    return outfile;
  };
  return {
    folder,
    files,
    program,
    load: async (file) => import(pathToFileURL(await program(file)).href),
    script: async (file) => {
      const entryPoints = [path.join(folder, file)];
      const { outputFiles } = await build({
        ...common,
        entryPoints,
        platform: 'browser',
        jsx: 'automatic',
        write: false,
        define: { 'process.env.NODE_ENV': '"production"' },
      });
      return outputFiles[0]?.text ?? '';
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
