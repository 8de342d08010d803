/**
 * Builds the files of the dashboard into one module, `src/board/core/page/dashboard-assets.generated.ts`, unless it is
 * newer than all of its sources. As a script: `--force` builds it in any case.
 */

import { execFile } from 'node:child_process';
import { globSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = path.join(root, 'src/board/core/page/dashboard-assets.generated.ts');
const sources = ['tools/build-dashboard.ts', 'tools/dashboard/*', 'src/dashboard/**/*.*'];

const timeOf = (file: string): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

function isCurrent(): boolean {
  const built = timeOf(generated);
  return globSync(sources, { cwd: root }).every((file) => timeOf(path.join(root, file)) < built);
}

/** Builds the module where it is absent or older than its sources. */
export async function buildDashboard({ force = false } = {}): Promise<void> {
  if (!force && isCurrent()) return;
  mkdirSync(path.join(root, '.scratch'), { recursive: true });
  // A process of its own: packages are bundled for production whatever the environment of a test says.
  await promisify(execFile)(
    process.execPath,
    [path.join(root, 'tools/dashboard/bundle.ts'), generated],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' }, maxBuffer: 2 ** 24 },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildDashboard({ force: process.argv.includes('--force') });
}
