/** `npm run check`: lint, format, folders, types and build, side by side; prints what the ones that fail say. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildDashboard } from './build-dashboard.ts';

// The check of the types has the sources of the build among its own.
const scripts = ['lint', 'typecheck', 'typecheck:dashboard', 'build -- --noCheck'];

await buildDashboard();
const codes = await Promise.all(
  scripts.map(async (script) => {
    const child = spawn('npm', ['run', '--silent', ...script.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (printed += String(chunk)));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) console.error(`${script} failed:\n${printed}`);
    return code;
  }),
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
