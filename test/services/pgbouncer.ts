/** PgBouncer in transaction mode in front of a running PostgreSQL, started from its binary. */

import { spawnSync } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { account, mayConnect } from './postgresql.ts';
import { findProgram, freePort, scratchDirectory, startServer } from './server-process.ts';

/** A pooler in front of a server. */
export interface PgBouncer {
  /** The URL of a database through the pooler. */
  through(url: string): string;
  readonly version: string;
  dispose(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Connections to the server for each database. */
  readonly poolSize: number;
  /** Prepared statements that it keeps for a client, which needs version 1.21. Default: the version's own default. */
  readonly preparedStatements?: number | undefined;
}

/** Starts PgBouncer in front of the server of a URL; a text says why there is none. */
export async function startPgBouncer(
  url: string,
  { poolSize, preparedStatements }: PgBouncerOptions,
): Promise<PgBouncer | string> {
  const program = process.env['SLUICE_PGBOUNCER'] ?? findProgram('pgbouncer', ['/usr/sbin']);
  if (!program) return 'PgBouncer: install pgbouncer.';
  const version = /\d+\.\d+/.exec(spawnSync(program, ['-V'], { encoding: 'utf8' }).stdout)?.[0];
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (preparedStatements !== undefined && major === 1 && minor < 21) {
    return `PgBouncer ${version}: max_prepared_statements needs 1.21; SLUICE_PGBOUNCER names another program.`;
  }
  const owner = account();
  if (!owner) return 'PgBouncer: as root, add an account named postgres.';
  const { hostname, port, username, password } = new URL(url);
  const directory = await scratchDirectory('pgbouncer');
  if (owner.uid !== undefined && owner.gid !== undefined) {
    await chown(directory, owner.uid, owner.gid);
  }
  const own = await freePort();
  const login = `user=${username}${password && ` password=${password}`}`;
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port || 5432} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    // A database can be dropped when nothing is connected to it.
    'server_idle_timeout = 1',
    ...(preparedStatements === undefined
      ? []
      : [`max_prepared_statements = ${preparedStatements}`]),
  ];
  const file = `${directory}/pgbouncer.ini`;
  await writeFile(file, `${settings.join('\n')}\n`);
  const through = (target: string): string => {
    const copy = new URL(target);
    copy.hostname = '127.0.0.1';
    copy.port = `${own}`;
    return copy.href;
  };
  const stop = await startServer(
    program,
    ['-q', file],
    directory,
    () => mayConnect(through(url)),
    owner,
  );
  return stop
    ? { through, version: version ?? 'unknown', dispose: stop }
    : 'PgBouncer did not start.';
}
