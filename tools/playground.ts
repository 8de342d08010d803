/** Builds the playground of the site with Vite, as files that any server can serve. Argument: the folder that they are written to. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { pageConfig } from './dashboard/vite-config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'site/playground';
const { build: { rolldownOptions: _, ...options } = {}, ...config } = pageConfig(root, source);

export async function buildPlayground(folder: string): Promise<void> {
  await build({
    ...config,
    build: {
      ...options,
      write: true,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: path.join(root, source, 'index.html') },
    },
    worker: { format: 'es' },
  });
}

const [, script, target = ''] = process.argv;
if (script === fileURLToPath(import.meta.url)) await buildPlayground(path.resolve(target));
