/** Finds PostgreSQL: environment variable, default port, Docker, a local binary, embedded. */

import { spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { type Account, findAccount } from '../../demo/postgres/account.ts';
import { type Binaries, findBinaries } from '../../demo/postgres/binaries.ts';
import { startContainer } from './docker.ts';
import {
  findProgram,
  freePort,
  runProgram,
  scratchDirectory,
  startServer,
} from './server-process.ts';
import { firstFound, leaveRunning } from './service.ts';
import type { MissingService, Service } from './service.ts';

/** Whether the server accepts a connection. */
export function mayConnect(url: string): Promise<boolean> {
  return isTrueOn(url, 'select true as may');
}

const mayCreateDatabases = (url: string): Promise<boolean> =>
  isTrueOn(url, 'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user');

async function isTrueOn(url: string, question: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ may: boolean }>(question);
    return rows[0]?.may === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function fromEnvironment(): Promise<Service | null> {
  const url = process.env['SLUICE_POSTGRES_URL'];
  if (!url) return null;
  if (await mayCreateDatabases(url)) {
    return { name: 'postgresql', url, found: 'environment', dispose: leaveRunning };
  }
  throw new Error(
    'The server of SLUICE_POSTGRES_URL refuses the connection, or its user lacks CREATEDB.',
  );
}

async function onUsualPort(): Promise<Service | null> {
  const url = 'postgres://postgres@127.0.0.1:5432/postgres';
  if (!(await mayCreateDatabases(url))) return null;
  return { name: 'postgresql', url, found: 'usual port', dispose: leaveRunning };
}

/** Starts a container of a PostgreSQL image. */
export const startPostgresqlImage = (image: string): Promise<Service | null> =>
  startContainer({
    name: 'postgresql',
    image,
    port: 5432,
    environment: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    answers: mayCreateDatabases,
  });

const fromDocker = (): Promise<Service | null> => startPostgresqlImage('postgres:17');

/** The account to run a local server under, because PostgreSQL refuses to run as root. */
export function account(): Account | null {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || Number.NaN);
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : null;
}

/** A scratch directory of the account. */
export async function ownedDirectory(name: string, owner: Account): Promise<string> {
  const directory = await scratchDirectory(name);
  if (owner.uid !== undefined && owner.gid !== undefined) {
    await chown(directory, owner.uid, owner.gid);
  }
  return directory;
}

/** Creates a cluster whose superuser is `postgres`, without a password; `false` where `initdb` fails. */
export const createCluster = (initdb: string, data: string, owner: Account): boolean =>
  runProgram(
    initdb,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    owner,
  );

/** Creates a cluster in the directory and starts its server. */
async function startCluster(
  { initdb, postgres }: Binaries,
  owner: Account,
  directory: string,
  found: Service['found'],
): Promise<Service | null> {
  const data = `${directory}/data`;
  if (!createCluster(initdb, data, owner)) return null;
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  // Nothing waits for the disk: a scratch database need not survive its server.
  const args = ['-D', data, '-p', String(port), '-k', directory, '-h', '127.0.0.1', '-F'];
  const stop = await startServer(postgres, args, directory, () => mayCreateDatabases(url), owner);
  return stop && { name: 'postgresql', url, found, dispose: () => stop('SIGINT') };
}

async function fromBinary(): Promise<Service | null> {
  const postgres = findProgram('postgres', [
    '/usr/lib/postgresql/17/bin',
    '/usr/lib/postgresql/16/bin',
  ]);
  const initdb = postgres && findProgram('initdb', [dirname(postgres)]);
  const owner = account();
  if (!postgres || !initdb || !owner) return null;
  const directory = await ownedDirectory('postgresql', owner);
  return startCluster({ initdb, postgres }, owner, directory, 'started here');
}

/** As the demo does: also for root, whose checkout the account of the server may not reach. */
async function embedded(): Promise<Service | null> {
  const owner = await findAccount().catch(() => null);
  if (!owner) return null;
  const directory = await ownedDirectory('embedded', owner);
  return startCluster(await findBinaries(owner, directory), owner, directory, 'embedded');
}

/** The steps by name, so that each can be tested separately. */
export const postgresqlSteps = {
  fromEnvironment,
  onUsualPort,
  fromDocker,
  fromBinary,
  embedded,
} as const;

/** Finds or starts PostgreSQL. The embedded one is always available, except to root without an account for it. */
export function findPostgresql(): Promise<Service | MissingService> {
  return firstFound(
    'postgresql',
    'PostgreSQL: as root, add an account named postgres; or set SLUICE_POSTGRES_URL.',
    Object.values(postgresqlSteps),
  );
}
