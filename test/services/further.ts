/**
 * Further servers of the matrix, beside the ones that `findPostgresql` and `findMysql` find: a URL in the environment, a
 * server on the port of `tools/mysql-server.ts`, one that it has unpacked, a container; for PostgreSQL the embedded one.
 */

import { type Kind, isUnpacked, prepare, series, unpack } from '../../tools/mysql-server.ts';
import { mayCreateDatabases, startMysqlImage } from './mysql.ts';
import { postgresqlSteps } from './postgresql.ts';
import { freePort, scratchDirectory, startServer } from './server-process.ts';
import {
  type MissingService,
  type Service,
  everyServiceRequired,
  firstFound,
  leaveRunning,
} from './service.ts';

/** A server of the family `mysql` beside the usual one. */
interface Further {
  readonly kind: Kind;
  readonly variable: string;
  readonly port: number;
  readonly image: string;
}

const further = {
  mysql: {
    kind: 'mysql',
    variable: 'SLUICE_MYSQL_9_URL',
    port: 3399,
    image: `mysql:${series.mysql}`,
  },
  mariadb: {
    kind: 'mariadb',
    variable: 'SLUICE_MARIADB_11_URL',
    port: 3398,
    image: `mariadb:${series.mariadb}`,
  },
} satisfies { readonly [Each in Kind]: Further };

async function listening(
  url: string | undefined,
  found: Service['found'],
): Promise<Service | null> {
  if (!url || !(await mayCreateDatabases(url))) return null;
  return { name: 'mysql', url, found, dispose: leaveRunning };
}

async function unpacked(kind: Kind): Promise<Service | null> {
  if (!isUnpacked(kind)) {
    if (!everyServiceRequired()) return null;
    unpack(kind);
  }
  const directory = await scratchDirectory(kind);
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${port}`;
  const { program, args } = prepare(kind, directory, port);
  const stop = await startServer(program, args, directory, () => mayCreateDatabases(url));
  return stop && { name: 'mysql', url, found: 'started here', dispose: () => stop() };
}

/** Finds or starts a current MySQL or MariaDB. */
export function findFurtherMysql(which: Kind): Promise<Service | MissingService> {
  const { kind, variable, port, image } = further[which];
  return firstFound(
    'mysql',
    `${kind}: run "node tools/mysql-server.ts unpack ${kind}", or set ${variable}=mysql://user:password@host:port.`,
    [
      () => listening(process.env[variable], 'environment'),
      () => listening(`mysql://root@127.0.0.1:${port}`, 'usual port'),
      () => (isUnpacked(kind) ? unpacked(kind) : startMysqlImage(image)),
      () => unpacked(kind),
    ],
  );
}

/** Starts the embedded PostgreSQL. */
export const findEmbeddedPostgresql = (): Promise<Service | MissingService> =>
  firstFound(
    'postgresql',
    'PostgreSQL: as root, the embedded server needs an account named postgres or nobody.',
    [postgresqlSteps.embedded],
  );
