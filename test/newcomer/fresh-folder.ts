/** A folder of a new project: the tarball and other packages from the registry, and a program that listens. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packInto } from '../../tools/package/pack.ts';
import { ensureBuilt } from '../package/package.ts';
import { freePort } from '../services/server-process.ts';
import { isCi } from '../setup/ci.ts';

const run = promisify(execFile);

/** Environment without the settings of this run; `node` is the version that runs it. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  const paths = [path.dirname(process.execPath), env['PATH']].join(path.delimiter);
  return { ...env, PATH: paths, NEXT_TELEMETRY_DISABLED: '1' };
}

let packed: { readonly tarball: string; readonly folder: string } | undefined;

/** The tarball of this checkout, packed once. */
function tarball(): string {
  if (!packed) {
    ensureBuilt();
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-tarball-')));
    packed = { tarball: packInto(folder).tarball, folder };
  }
  return packed.tarball;
}

/** Removes the tarball. */
export function removeTarball(): void {
  if (packed) rmSync(packed.folder, { recursive: true, force: true });
  packed = undefined;
}

/** A new project. */
export interface FreshFolder {
  readonly directory: string;
  /** Runs a command of the project to its end, and resolves to what it prints. */
  command(name: string, ...args: readonly string[]): Promise<string>;
  /** Runs a line as somebody types it, who then types nothing more, and resolves to what it prints. */
  shell(line: string): Promise<string>;
  /** Starts a program with a free port in `PORT`, and resolves to its origin when it answers. */
  serve(command: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Creates a folder, installs `sluice` and these packages with npm, and writes the files; undefined without a network,
 * which a developer's machine may not have. A `package.json` among the files gets `sluice` and the packages.
 *
 * @param variables of the environment of all that runs in the folder
 */
export async function freshFolder(
  packages: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<FreshFolder | undefined> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-fresh-')));
  const running: ChildProcess[] = [];
  const all = { ...files, 'package.json': projectOf(packages, files['package.json']) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
  const options = { cwd: directory, env: { ...environment(), ...variables } };
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], options);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    const isAway = /E(?:NOTFOUND|CONNREFUSED|AI_AGAIN|TIMEDOUT)/.test(String(error));
    if (isAway && !isCi) return undefined;
    throw error;
  }
  const bin = (name: string): string =>
    name === 'node' ? process.execPath : path.join(directory, 'node_modules/.bin', name);
  const ended = async (name: string, program: string, args: readonly string[]) => {
    const running = run(program, [...args], options);
    running.child.stdin?.end();
    try {
      return (await running).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${name} failed:\n${stdout ?? ''}\n${stderr ?? ''}`, { cause: error });
    }
  };
  return {
    directory,
    command: (name, ...args) => ended(name, bin(name), args),
    shell: (line) => ended(line, 'sh', ['-c', line]),
    async serve(command, ...args) {
      const port = await freePort();
      const env = { ...options.env, PORT: String(port), HOSTNAME: '127.0.0.1' };
      const child = spawn(bin(command), [...args], { ...options, env });
      running.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data: Buffer) => (output += data.toString()));
      }
      const origin = `http://127.0.0.1:${port}`;
      for (;;) {
        if (child.exitCode !== null) throw new Error(`The program ended:\n${output}`);
        if (await fetch(origin).catch(() => undefined)) return origin;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async remove() {
      for (const child of running) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill();
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function projectOf(
  packages: Readonly<Record<string, string>>,
  text = '{ "private": true, "type": "module" }',
): string {
  const project = JSON.parse(text) as { readonly dependencies?: object };
  const dependencies = { ...project.dependencies, sluice: `file:${tarball()}`, ...packages };
  return JSON.stringify({ ...project, dependencies });
}
