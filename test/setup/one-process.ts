/** Work that one process of this checkout does at a time: files of a run share the result of the first one. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const scratch = fileURLToPath(new URL('../../.scratch', import.meta.url));

/** Whether the process that holds a lock has ended without its release. */
function isLeft(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Whether this process has taken the lock. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isLeft(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** Runs `work` while no other process runs work of this name; it waits for its turn. */
export function inOneProcess(name: string, work: () => void): void {
  mkdirSync(scratch, { recursive: true });
  const lock = path.join(scratch, `${name}.lock`);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!take(lock)) Atomics.wait(pause, 0, 0, 100);
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}
