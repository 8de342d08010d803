/** Starts a server binary of the machine on a scratch directory and a free port, and stops it again. */

import { spawn, spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds a server has to answer after its start. */
const patience = 30_000;

/** Path of a program on `PATH` or in one of the further folders, `null` where there is none. */
export function findProgram(name: string, folders: readonly string[] = []): string | null {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  for (const place of places) {
    if (place && existsSync(join(place, name))) return join(place, name);
  }
  return null;
}

/** A TCP port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** A directory that `stop` removes. */
export function scratchDirectory(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `sluice-${name}-`));
}

/** Runs a program to its end; whether it ended well. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): boolean {
  return spawnSync(program, args, { stdio: 'ignore', ...options, encoding: 'utf8' }).status === 0;
}

/**
 * Starts a server and waits until `answers` is true. The returned function ends it and removes its
 * directory; `null` where it did not come up.
 */
export async function startServer(
  program: string,
  args: readonly string[],
  directory: string,
  answers: () => Promise<boolean>,
  options: SpawnOptions = {},
): Promise<(() => Promise<void>) | null> {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  let ended = false;
  const end = new Promise<void>((resolve) => {
    const finish = (): void => {
      ended = true;
      resolve();
    };
    child.once('exit', finish);
    child.once('error', finish);
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    if (!ended) child.kill('SIGTERM');
    await Promise.race([end, sleep(5_000, undefined, { ref: false })]);
    kill();
    process.off('exit', kill);
    await rm(directory, { recursive: true, force: true });
  };
  const deadline = Date.now() + patience;
  while (!ended && Date.now() < deadline) {
    if (await answers()) return stop;
    await sleep(100);
  }
  await stop();
  return null;
}
