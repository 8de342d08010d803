/** Runs a TypeScript block of a document and captures its output. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, build } from 'esbuild';
import { subpaths } from '../../tools/package/entries.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Source files of the package's subpaths that examples use. */
const alias = Object.fromEntries(
  Object.entries(subpaths)
    .toReversed()
    .map(([subpath, module]) => [path.posix.join('sluice', subpath), `${root}src/${module}.ts`]),
);

/** Has bundles of examples contain the sources of the package. */
export const sluiceSources: Plugin = {
  name: 'sluice',
  setup: (on) => {
    on.onResolve({ filter: /^sluice(\/|$)/ }, ({ path: name }) => ({ path: alias[name] ?? name }));
  },
};

/** An example of a document: its code and the documented output. */
export interface Example {
  readonly code: string;
  readonly output: string;
}

/** The block whose first line names the file, and the `json` block after it. */
export function exampleOf(document: string, file: string): Example {
  const text = readFileSync(root + document, 'utf8');
  const [, code = '', after = ''] = text.split(/^```[jt]s\n(?=\/\/ )/m).flatMap((part) => {
    const end = part.indexOf('\n```');
    return part.startsWith(`// ${file}\n`) ? ['', part.slice(0, end + 1), part.slice(end)] : [];
  });
  return { code, output: /^```json\n(.*?)^```/ms.exec(after)?.[1] ?? '' };
}

/** Runs the code and returns its output. `prepare` can first add files to its folder. */
export async function runExample(
  { code }: Example,
  prepare?: (folder: string) => Promise<void>,
): Promise<string> {
  mkdirSync(`${root}.scratch`, { recursive: true });
  // Inside the project, so that imports of the example resolve to its packages.
  const folder = mkdtempSync(`${root}.scratch/example-`);
  try {
    await prepare?.(folder);
    const outfile = path.join(folder, 'example.mjs');
    await build({
      stdin: { contents: code, loader: 'ts', resolveDir: folder, sourcefile: 'example.ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
      plugins: [sluiceSources],
    });
    return execFileSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
