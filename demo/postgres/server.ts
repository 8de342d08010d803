/** Runs an embedded PostgreSQL on a folder: creates the cluster once, starts it on a free port, stops it. */

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import type { Account } from './account.ts';
import { accessibleFolder, findAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { findBinaries } from './binaries.ts';
import { stopLeftover } from './leftover.ts';

/** The address and credentials of a PostgreSQL. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A running PostgreSQL. */
export interface PostgresServer {
  readonly address: Address;
  /** The folder of its data: the requested one, or one that its account can access. */
  readonly folder: string;
  /** Closes all connections and stops the server. */
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const user = 'postgres';

const settings: Readonly<Record<string, string>> = {
  listen_addresses: host,
  // No Unix socket: its folder may be missing or belong to another server.
  unix_socket_directories: '',
  timezone: 'UTC',
  // The lists, pg-boss, its board and BullMQ each have a connection pool.
  max_connections: '80',
  // The data can be loaded again, so the loss of the last transactions in a power cut is acceptable.
  synchronous_commit: 'off',
};

/** A free TCP port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No TCP port is free.');
  return address.port;
}

/** Collects the output of a process for an error message. */
function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => (text = `${text}${String(chunk)}`.slice(-4000)));
  }
  return () => text.trim();
}

const spawnOptions = (account: Account, cwd: string): SpawnOptions => ({
  ...account,
  cwd,
  env: { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C', TZ: 'UTC' },
});

/** Creates the cluster: UTF8, order by code point, a random password. */
async function createCluster(
  binaries: Binaries,
  account: Account,
  folder: string,
  data: string,
  passwordFile: string,
): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true });
  await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(data, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${data}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ],
    spawnOptions(account, folder),
  );
  const output = collectOutput(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL could not create its data folder.\n${output()}`);
  // Written last: this file marks a complete cluster.
  await writeFile(join(folder, 'postgres.ready'), '');
}

async function isReady(folder: string): Promise<boolean> {
  try {
    await readFile(join(folder, 'postgres.ready'));
    return true;
  } catch {
    return false;
  }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  const output = collectOutput(child);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`PostgreSQL did not start.\n${output()}`)));
    child.stderr?.on('data', () => {
      if (output().includes('ready to accept connections')) resolve();
    });
  });
}

/**
 * Starts PostgreSQL on a folder, and creates the cluster on the first start.
 *
 * @param requested folder of the data; no other process may use it at the same time
 * @throws {Error} with PostgreSQL's output when the cluster cannot be created or started
 */
export async function startPostgres(requested: string): Promise<PostgresServer> {
  const account = await findAccount();
  const folder = await accessibleFolder(requested, account);
  const data = join(folder, 'postgres');
  const passwordFile = join(folder, 'postgres.password');
  const binaries = await findBinaries(account, folder);
  if (!(await isReady(folder))) await createCluster(binaries, account, folder, data, passwordFile);
  await stopLeftover(data);
  const port = await freePort();
  const child = spawn(
    binaries.postgres,
    [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    spawnOptions(account, folder),
  );
  await waitUntilReady(child);
  return {
    folder,
    address: { host, port, user, password: await readFile(passwordFile, 'utf8') },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // SIGINT is PostgreSQL's fast shutdown. Windows has no signals, so the process is killed there.
      child.kill('SIGINT');
      await ended;
    },
  };
}
