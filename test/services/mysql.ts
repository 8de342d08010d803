/** Finds MySQL or MariaDB: environment variable, default port, Docker, a local binary. */

import { createConnection } from 'mysql2/promise';
import {
  findProgram,
  freePort,
  runProgram,
  scratchDirectory,
  startServer,
} from './server-process.ts';
import { startContainer } from './docker.ts';
import { firstFound, leaveRunning } from './service.ts';
import type { MissingService, Service } from './service.ts';

/** Whether a server answers at the URL, with a user who may create databases. */
export async function mayCreateDatabases(url: string): Promise<boolean> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 20_000 });
    try {
      const [rows] = await connection.query('show grants');
      return /GRANT (?:ALL PRIVILEGES|.*\bCREATE\b).* ON \*\.\*/.test(JSON.stringify(rows));
    } finally {
      await connection.end();
    }
  } catch {
    return false;
  }
}

async function fromEnvironment(): Promise<Service | null> {
  const url = process.env['SLUICE_MYSQL_URL'];
  if (!url) return null;
  if (await mayCreateDatabases(url)) {
    return { name: 'mysql', url, found: 'environment', dispose: leaveRunning };
  }
  throw new Error(
    'The server of SLUICE_MYSQL_URL refuses the connection, or its user lacks CREATE.',
  );
}

async function onUsualPort(): Promise<Service | null> {
  const url = 'mysql://root@127.0.0.1:3306';
  if (!(await mayCreateDatabases(url))) return null;
  return { name: 'mysql', url, found: 'usual port', dispose: leaveRunning };
}

/** Starts a container of a MySQL or MariaDB image. */
export function startMysqlImage(image: string): Promise<Service | null> {
  return startContainer({
    name: 'mysql',
    image,
    port: 3306,
    environment: { MYSQL_ALLOW_EMPTY_PASSWORD: 'yes' },
    url: (port) => `mysql://root@127.0.0.1:${port}`,
    answers: mayCreateDatabases,
  });
}

const fromDocker = (): Promise<Service | null> => startMysqlImage('mysql:8.4');

async function fromBinary(): Promise<Service | null> {
  const program = findProgram('mariadbd', ['/usr/sbin', '/usr/local/sbin']);
  const install = findProgram('mariadb-install-db', ['/usr/bin', '/usr/local/bin']);
  if (!program || !install) return null;
  const directory = await scratchDirectory('mariadb');
  const data = `${directory}/data`;
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const made = runProgram(install, [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${directory}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asRoot,
  ]);
  if (!made) return null;
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${port}`;
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${directory}/server.sock`,
    `--pid-file=${directory}/server.pid`,
    // A server that starts empties its directory for temporary tables.
    `--tmpdir=${directory}`,
    // No commit waits for the disk: a scratch database need not survive its server.
    '--innodb-flush-log-at-trx-commit=0',
    ...asRoot,
  ];
  const stop = await startServer(program, args, directory, () => mayCreateDatabases(url));
  return stop && { name: 'mysql', url, found: 'started here', dispose: stop };
}

/** The steps by name, so that each can be tested separately. */
export const mysqlSteps = { fromEnvironment, onUsualPort, fromDocker, fromBinary } as const;

/** Finds or starts a MySQL or MariaDB server. */
export function findMysql(): Promise<Service | MissingService> {
  return firstFound(
    'mysql',
    'MySQL: install mariadb-server, or set SLUICE_MYSQL_URL=mysql://user:password@host:port.',
    Object.values(mysqlSteps),
  );
}
