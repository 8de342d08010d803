/** A PostgreSQL server of a test that can be stopped and restarted on its port. */

import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { findAccount } from '../../../demo/postgres/account.ts';
import { findBinaries } from '../../../demo/postgres/binaries.ts';
import { createCluster, mayConnect, ownedDirectory } from '../../services/postgresql.ts';
import { freePort, startServer } from '../../services/server-process.ts';

/** A server that can be stopped and restarted. */
export interface RestartablePostgres {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Halts all of its processes, which keep their connections and stay silent. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

export async function restartablePostgres(): Promise<RestartablePostgres> {
  const owner = await findAccount();
  const directory = await ownedDirectory('restartable', owner);
  const { initdb, postgres } = await findBinaries(owner, directory);
  const data = `${directory}/data`;
  if (!createCluster(initdb, data, owner)) throw new Error('initdb failed.');
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let end: Awaited<ReturnType<typeof startServer>>;
  const start = async (): Promise<void> => {
    const args = ['-D', data, '-p', String(port), '-k', directory, '-h', '127.0.0.1', '-F'];
    // Its data outlives it.
    const ownFiles = `${directory}/none`;
    end = await startServer(postgres, args, ownFiles, () => mayConnect(url), owner);
    if (!end) throw new Error('PostgreSQL did not start.');
  };
  await start();
  /** Sends a signal to the server and to the processes of its connections. */
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const [main] = (await readFile(`${data}/postmaster.pid`, 'utf8')).split('\n');
    const children = spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' }).stdout;
    for (const pid of [main, ...children.trim().split('\n')]) {
      if (pid) process.kill(Number(pid), name);
    }
  };
  const stop = async (): Promise<void> => {
    await end?.('SIGINT');
    end = null;
  };
  return {
    url,
    start,
    stop,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async dispose() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
