/** Stops a PostgreSQL that a killed demo left running, and removes a stale pid file. */

import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The command line of a process; `null` if it cannot be read. */
async function commandOf(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return stdout;
  } catch {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (line) => line.replaceAll('\0', ' '),
      () => null,
    );
  }
}

/**
 * Prepares a data folder for a start. If its pid file names a running server of this folder, the server is stopped.
 * Then the file is removed; its number may belong to another process by now. The caller has the lock of the demo, so
 * no running demo uses the server.
 *
 * @throws {Error} when the old server does not stop within 10 s
 */
export async function stopLeftover(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const lines = await readFile(pidFile, 'utf8').catch(() => null);
  if (lines === null) return;
  const pid = Number.parseInt(lines, 10);
  if (pid > 0 && isAlive(pid) && (await commandOf(pid))?.includes(`-D ${data}`)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; isAlive(pid); waited += 50) {
      if (waited > 10_000) throw new Error(`An earlier PostgreSQL (process ${pid}) does not stop.`);
      await sleep(50);
    }
  }
  await rm(pidFile, { force: true });
}
