/** Runs an embedded PostgreSQL on a folder: creates the cluster once, starts it on a free port, stops it. */

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import type { Account } from './account.ts';
import { findAccount, placeFor } from './account.ts';
import type { Binaries } from './binaries.ts';
import { findBinaries } from './binaries.ts';
import { stopLeftover } from './leftover.ts';

/** How to reach a PostgreSQL. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A running PostgreSQL. */
export interface PostgresServer {
  readonly address: Address;
  /** The folder that holds its data: the one asked for, or one that its account can reach. */
  readonly place: string;
  /** Ends every connection and stops the server. */
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const user = 'postgres';

const settings: Readonly<Record<string, string>> = {
  listen_addresses: host,
  // No socket file, whose folder may be missing or another server's.
  unix_socket_directories: '',
  timezone: 'UTC',
  // The lists, pg-boss, its board, and BullMQ have pools of their own.
  max_connections: '80',
  // The data can be loaded again; what is lost in a power cut is at most the last moments.
  synchronous_commit: 'off',
};

/** A TCP port of this machine that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP port is free');
  return address.port;
}

/** Collects what a process says, to be shown if it fails. */
function listen(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-4000)));
  }
  return () => said.trim();
}

const spawnOptions = (account: Account, place: string): SpawnOptions => ({
  ...account,
  cwd: place,
  env: { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C', TZ: 'UTC' },
});

/** Creates the cluster: UTF8, text ordered by code point, a password of its own. */
async function createCluster(
  binaries: Binaries,
  account: Account,
  place: string,
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
    spawnOptions(account, place),
  );
  const said = listen(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL could not create its data folder.\n${said()}`);
  // Written last: its presence says that the cluster is whole.
  await writeFile(join(place, 'postgres.ready'), '');
}

async function ready(place: string): Promise<boolean> {
  try {
    await readFile(join(place, 'postgres.ready'));
    return true;
  } catch {
    return false;
  }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  const said = listen(child);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`PostgreSQL did not start.\n${said()}`)));
    child.stderr?.on('data', () => {
      if (said().includes('ready to accept connections')) resolve();
    });
  });
}

/**
 * Starts PostgreSQL on `folder`, creating the cluster on the first start.
 *
 * @param folder where data is kept; nobody else may use it at the same time
 * @throws Error with PostgreSQL's own words where it cannot be created or started
 */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const account = await findAccount();
  const place = await placeFor(folder, account);
  const data = join(place, 'postgres');
  const passwordFile = join(place, 'postgres.password');
  const binaries = await findBinaries(account, place);
  if (!(await ready(place))) await createCluster(binaries, account, place, data, passwordFile);
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
    spawnOptions(account, place),
  );
  await waitUntilReady(child);
  return {
    place,
    address: { host, port, user, password: await readFile(passwordFile, 'utf8') },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // PostgreSQL's fast shutdown. Windows has no signals: there the server is ended at once.
      child.kill('SIGINT');
      await ended;
    },
  };
}
