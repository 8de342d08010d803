/** Starts and stops a local server binary with a scratch directory and a free port. */

import { spawn, spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout for a server to become ready, in milliseconds. */
const startTimeoutMs = 120_000;

/** Path of a program in `PATH` or one of `folders`, otherwise `null`. */
export function findProgram(name: string, folders: readonly string[] = []): string | null {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  for (const directory of directories) {
    if (directory && existsSync(join(directory, name))) return join(directory, name);
  }
  return null;
}

/** Whether nothing listens at a TCP port. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/**
 * A TCP port that is free at the time of the call, and is not among those that systems give to outgoing connections:
 * a server that starts later would find it taken by one. Nor is the port of its bus, 10,000 above, in a Redis Cluster.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 22_000);
    if (await isFree(port)) return port;
  }
}

/** Creates a temporary directory for a server. */
export function scratchDirectory(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `sluice-${name}-`));
}

/** Runs a program to completion and returns whether it succeeded. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): boolean {
  return spawnSync(program, args, { stdio: 'ignore', ...options, encoding: 'utf8' }).status === 0;
}

/**
 * Starts a server and waits until `answers` resolves to true. Returns a function that stops it and removes its
 * directory, or `null` if it did not start.
 */
export async function startServer(
  program: string,
  args: readonly string[],
  directory: string,
  answers: () => Promise<boolean>,
  options: SpawnOptions = {},
): Promise<((signal?: NodeJS.Signals) => Promise<void>) | null> {
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
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (!ended) child.kill(signal);
    // A server that is killed while it shuts down may not start from its files again.
    await Promise.race([end, sleep(30_000, undefined, { ref: false })]);
    kill();
    process.off('exit', kill);
    await rm(directory, { recursive: true, force: true });
  };
  const deadline = Date.now() + startTimeoutMs;
  while (!ended && Date.now() < deadline) {
    if (await answers()) return stop;
    await sleep(100);
  }
  await stop();
  return null;
}
