/**
 * `npm ci && npm start`, as the README prints it, on a machine with npm and nothing else: an account without rights and a
 * PATH without a compiler and without Python.
 */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../package/package.ts';
import { freePort } from '../services/server-process.ts';

const coreutils =
  'basename cat chmod cp cut date dirname env expr head id ln ls mkdir mktemp mv pwd readlink rm sleep sort tail test touch tr true uname wc';

/** A program of the machine, not one that this checkout has installed. */
function programOf(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const found = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
  return found && realpathSync(found);
}

// As root, the account of Linux that owns nothing; any other account has no rights already.
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let env: NodeJS.ProcessEnv;
let port: number;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-machine-')));
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['node', 'npm', 'sh', ...coreutils.split(' ')]) {
    const program = programOf(name);
    if (program !== undefined) symlinkSync(program, path.join(bin, name));
  }
  const left = new Set(['node_modules', 'dist', '.git', '.scratch']);
  cpSync(root, path.join(folder, 'checkout'), {
    recursive: true,
    filter: (source) => !left.has(path.basename(source)),
  });
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const packages = path.join(cache, '_cacache');
  if (existsSync(packages))
    cpSync(packages, path.join(folder, 'cache/_cacache'), { recursive: true });
  if (account.uid !== undefined) {
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  }
  port = await freePort();
  const { NODE_EXTRA_CA_CERTS } = process.env;
  env = {
    HOME: folder,
    PATH: bin,
    PORT: String(port),
    npm_config_cache: path.join(folder, 'cache'),
    ...(NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS }),
  };
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }), 300_000);

/** Starts npm in the checkout, as the account. */
function npm(...args: readonly string[]) {
  const cwd = path.join(folder, 'checkout');
  const child = spawn(path.join(folder, 'bin/npm'), [...args], {
    ...account,
    cwd,
    env,
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => output };
}

it('installs without a compiler, and starts the demo', async () => {
  for (const name of ['python3', 'cc', 'gcc', 'make']) {
    expect(existsSync(path.join(folder, 'bin', name))).toBe(false);
  }
  const install = npm('ci', '--prefer-offline', '--no-audit', '--no-fund');
  expect([await install.ended, install.output()]).toEqual([0, expect.any(String)]);
  const compiled = path.join(folder, 'checkout/node_modules/better-sqlite3/build');
  expect(existsSync(compiled)).toBe(false);

  const demo = npm('start');
  let isOver = false;
  void demo.ended.then(() => (isOver = true));
  const list = `http://127.0.0.1:${port}/sqlite/cities?perPage=1`;
  let answer: Response | undefined;
  while (answer?.status !== 200) {
    if (isOver) throw new Error(`The demo ended:\n${demo.output()}`);
    answer = await fetch(list).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await answer.json()).toMatchObject({ data: [{}] });
  if (demo.child.pid !== undefined) process.kill(-demo.child.pid, 'SIGINT');
  await demo.ended;
}, 900_000);
