/** Starts the demo as a separate process on a scratch folder. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../demo/main.ts', import.meta.url));

/** Number of cities that tests load: many pages, but loaded within a second. */
export const cities = 2000;

/** A running demo. */
export interface RunningDemo {
  /** Origin of its server, such as `http://localhost:3000`. */
  readonly origin: string;
  /** Its output so far. */
  readonly printed: () => string;
  /** Sends a signal, waits for the exit, and returns the exit code or the signal that ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Creates a folder for the data of a demo. `remove` deletes it. */
export async function scratchFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-demo-test-'));
  // PostgreSQL may run under another account, which needs access to the folder.
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function waitForAddress(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      reject(new Error(`The demo ended with ${code}.\n${printed()}`));
    });
    child.stdout?.on('data', () => {
      const origin = /open (http:\S+)\/ to try/.exec(printed())?.[1];
      if (origin && printed().includes('Ctrl-C')) resolve(origin);
    });
  });
}

/**
 * Starts the demo on `folder` and waits until it has printed its addresses.
 *
 * @throws {Error} with the output when the process exits before
 */
export async function startDemo(
  folder: string,
  options: {
    readonly port?: number;
    readonly cities?: number;
    /** Redis for BullMQ's queues. Default: the demo's PostgreSQL. */
    readonly redisUrl?: string;
  } = {},
): Promise<RunningDemo> {
  const wanted = options.cities ?? cities;
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DEMO_DIR: folder,
      DEMO_CITIES: wanted === Infinity ? '' : String(wanted),
      PORT: String(options.port ?? 0),
      HOST: '127.0.0.1',
      REDIS_URL: options.redisUrl ?? '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const printed = () => text;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (text += String(chunk)));
  }
  const origin = await waitForAddress(child, printed);
  return {
    origin,
    printed,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code, by] = await ended;
      return code ?? by;
    },
  };
}
