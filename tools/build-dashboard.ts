/**
 * Builds the pages of the repository, the dashboard and that of the demo, each into one generated module, unless it is
 * newer than all of its sources. As a script: `--force` builds them in any case.
 */

import { execFile } from 'node:child_process';
import { globSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = ['tools/build-dashboard.ts', 'tools/dashboard/*'];

/** The pages: folder of the sources, generated module, and what else it is made from. */
const pages = [
  {
    folder: 'src/dashboard',
    generated: 'src/board/core/page/dashboard-assets.generated.ts',
    parts: ['src/board/filters/*'],
  },
  {
    folder: 'demo/page',
    generated: 'demo/page-assets.generated.ts',
    parts: ['src/dashboard/{format,i18n,keys,kit,live,shell,styles}/**/*.*', 'src/dashboard/*.*'],
  },
] as const;

const timeOf = (file: string): number =>
  statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

function isCurrent({ folder, generated, parts }: (typeof pages)[number]): boolean {
  const built = timeOf(generated);
  const sources = globSync([...tools, `${folder}/**/*.*`, ...parts], { cwd: root });
  return sources.every((file) => timeOf(file) < built);
}

/** Builds the modules that are absent or older than their sources. */
export async function buildDashboard({ force = false } = {}): Promise<void> {
  for (const page of pages) {
    if (!force && isCurrent(page)) continue;
    mkdirSync(path.join(root, '.scratch'), { recursive: true });
    // A process of its own: packages are bundled for production whatever the environment of a test says.
    await promisify(execFile)(
      process.execPath,
      [path.join(root, 'tools/dashboard/bundle.ts'), page.folder, page.generated],
      { cwd: root, env: { ...process.env, NODE_ENV: 'production' }, maxBuffer: 2 ** 24 },
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildDashboard({ force: process.argv.includes('--force') });
}
