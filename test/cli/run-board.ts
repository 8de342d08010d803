/** Runs `sluice` as a process: to its end, or as a board that is asked over HTTP and stopped. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const main = path.join(import.meta.dirname, '../../src/cli/main.ts');

/** A finished process. */
interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

/** No variable of the machine is a setting, and nobody sits in front of a test. */
function environment(own: Environment): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('BOARD_') && name !== 'NODE_ENV',
  );
  return { ...Object.fromEntries(entries), CI: 'true', ...own };
}

/** Runs a command to its end. */
export function sluice(args: readonly string[], env: Environment = {}): Promise<Outcome> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { env: environment(env) },
      (error, out, err) => done({ code: error === null ? 0 : Number(child.exitCode), out, err }),
    );
  });
}

/** A running board. */
export interface RunningBoard {
  readonly origin: string;
  /** Its output so far. */
  readonly printed: { out: string; err: string };
  get(path: string, headers?: Environment): Promise<Response>;
  /** The body of a response as JSON. */
  json(path: string, headers?: Environment): Promise<Record<string, unknown>>;
  /** Names of the queues on the board. */
  queues(): Promise<string[]>;
  /** Sends a signal and resolves to the exit code, `null` when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

interface Run {
  readonly env?: Environment;
  readonly cwd?: string;
  /** Program and arguments before those of the command, such as npx, which starts the command itself. Default: this checkout. */
  readonly program?: readonly string[];
}

/** Starts `sluice board` on a free port, until the test is over. Resolves once it listens. */
export async function runBoard(
  args: readonly string[],
  { env = {}, cwd, program }: Run = {},
): Promise<RunningBoard> {
  const [command = '', ...first] = program ?? [process.execPath, main];
  const child = spawn(command, [...first, 'board', '--port', '0', ...args], {
    env: environment(env),
    cwd,
    // A terminal sends its signals to all processes of a group.
    detached: program !== undefined,
  });
  const send = (signal: NodeJS.Signals): unknown =>
    program ? process.kill(-Number(child.pid), signal) : child.kill(signal);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (printed.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed.err += data.toString()));
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  onTestFinished(async () => {
    if (isRunning(child)) send('SIGKILL');
    await ended;
  });
  const origin = await Promise.race([listening(child, printed), ended.then(() => undefined)]);
  if (origin === undefined) throw new Error(`The board ended: ${printed.out}${printed.err}`);
  const get = (route: string, headers: Environment = {}): Promise<Response> =>
    fetch(origin + route, { headers, redirect: 'manual' });
  const json = async (route: string, headers?: Environment) =>
    (await (await get(route, headers)).json()) as Record<string, unknown>;
  return {
    origin,
    printed,
    get,
    json,
    queues: async () =>
      ((await json('/api/queues'))['queues'] as { name: string }[]).map(({ name }) => name),
    async stop(signal = 'SIGTERM') {
      send(signal);
      return (await ended)[0];
    },
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** The address that the board prints. */
function listening(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream },
  printed: { out: string },
): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const url = /^Sluice board: (http:\S+)$/m.exec(printed.out)?.[1];
      if (url !== undefined) resolve(url.replace(/\/$/, ''));
    };
    child.stdout.on('data', look);
  });
}
