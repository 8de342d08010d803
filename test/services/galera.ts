/** A MariaDB Galera cluster of three nodes, started from the binaries of the system. */

import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import {
  findProgram,
  freePort,
  runProgram,
  scratchDirectory,
  startServer,
} from './server-process.ts';

/** A node of the cluster. */
export interface GaleraNode {
  readonly url: string;
  /** Ends the server at once, as a machine that loses its power. */
  kill(): Promise<void>;
}

export interface GaleraCluster {
  readonly nodes: readonly GaleraNode[];
  /** Waits until the nodes that still run have applied everything that was committed by now. */
  replicated(): Promise<void>;
  dispose(): Promise<void>;
}

const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera/libgalera_smm.so'];

/** Whether a node has joined the cluster and applies its transactions. */
async function isSynced(url: string): Promise<boolean> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 20_000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(
        "show status like 'wsrep_local_state_comment'",
      );
      return rows[0]?.['Value'] === 'Synced';
    } finally {
      connection.destroy();
    }
  } catch {
    return false;
  }
}

/** As root the servers run as `mysql`, because the transfer of a node's state does not work as root. */
function account(): { readonly args: readonly string[]; readonly owner: string } | null {
  if (process.getuid?.() !== 0) return { args: [], owner: '' };
  if (spawnSync('id', ['mysql']).status !== 0) return null;
  return { args: ['--user=mysql'], owner: 'mysql' };
}

async function tryGalera(): Promise<GaleraCluster | string> {
  const program = findProgram('mariadbd', ['/usr/sbin']);
  const install = findProgram('mariadb-install-db', ['/usr/bin']);
  const provider = providers.find((path) => existsSync(path));
  if (!program || !install || !provider || !findProgram('rsync', ['/usr/bin'])) {
    return 'Galera: install mariadb-server, galera-4 and rsync.';
  }
  const own = account();
  if (!own) return 'Galera: as root, add an account named mysql.';
  const directory = await scratchDirectory('galera');
  await chmod(directory, 0o755);
  if (own.owner !== '') runProgram('chown', [own.owner, directory]);
  const data = `${directory}/node0`;
  const made = runProgram(install, [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${directory}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    ...own.args,
  ]);
  if (!made) return 'Galera: mariadb-install-db failed.';
  const ports: { readonly sql: number; readonly group: number; readonly state: number }[] = [];
  for (let at = 0; at < 3; at += 1) {
    ports.push({ sql: await freePort(), group: await freePort(), state: await freePort() });
  }
  const members = ports.map(({ group }) => `127.0.0.1:${group}`).join(',');
  const nodes: GaleraNode[] = [];
  const living = new Set<string>();
  const dispose = async (): Promise<void> => {
    for (const node of nodes) await node.kill();
    await rm(directory, { recursive: true, force: true });
  };
  const argumentsOf = async (at: number, isNew: boolean): Promise<string[]> => {
    const { sql, group, state } = ports[at] as (typeof ports)[number];
    const folder = `${directory}/node${at}`;
    const options = {
      base_host: '127.0.0.1',
      base_port: group,
      'gmcast.listen_addr': `tcp://127.0.0.1:${group}`,
      'ist.recv_addr': `127.0.0.1:${state}`,
      'gcache.size': '32M',
      // A node that has ended is noticed within seconds; a busy machine is not taken for one.
      'evs.keepalive_period': 'PT0.3S',
      'evs.inactive_check_period': 'PT0.2S',
      'evs.suspect_timeout': 'PT3S',
      'evs.inactive_timeout': 'PT6S',
    };
    return [
      '--no-defaults',
      ...own.args,
      `--datadir=${folder}`,
      // A server that starts empties its directory for temporary tables.
      `--tmpdir=${directory}`,
      `--port=${sql}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}.sock`,
      `--pid-file=${folder}.pid`,
      `--log-error=${folder}.log`,
      '--skip-name-resolve',
      '--wsrep-on=ON',
      `--wsrep-provider=${provider}`,
      '--binlog-format=ROW',
      '--default-storage-engine=InnoDB',
      '--innodb-autoinc-lock-mode=2',
      '--innodb-flush-log-at-trx-commit=0',
      '--wsrep-cluster-name=sluice',
      `--wsrep-cluster-address=gcomm://${members}`,
      '--wsrep-node-address=127.0.0.1',
      `--wsrep-node-name=node${at}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`,
      `--wsrep-provider-options=${Object.entries(options)
        .map((pair) => pair.join('='))
        .join(';')}`,
      ...(isNew ? ['--wsrep-new-cluster'] : []),
    ];
  };
  const urlOf = (at: number): string => `mysql://root@127.0.0.1:${ports[at]?.sql}`;
  // A cluster of one node writes a state that the others copy; they join with the few events that they lack.
  const begin = await startServer(program, await argumentsOf(0, true), `${directory}/none`, () =>
    isSynced(urlOf(0)),
  );
  if (!begin) {
    await dispose();
    return 'Galera: the first node did not start.';
  }
  await begin();
  for (const at of [1, 2]) await cp(data, `${directory}/node${at}`, { recursive: true });
  if (own.owner !== '') runProgram('chown', ['-R', own.owner, directory]);
  for (const at of ports.keys()) {
    const url = urlOf(at);
    const folder = `${directory}/node${at}`;
    const args = await argumentsOf(at, at === 0);
    const stop = await startServer(program, args, folder, () => isSynced(url));
    if (!stop) {
      await dispose();
      return `Galera: node ${at} did not start.`;
    }
    living.add(url);
    nodes.push({
      url,
      kill: async () => {
        living.delete(url);
        await stop('SIGKILL');
      },
    });
  }
  return {
    nodes,
    replicated: async () => {
      for (const uri of living) {
        const connection = await createConnection({ uri });
        await connection.query('set session wsrep_sync_wait = 1');
        await connection.query('select count(*) from information_schema.tables');
        await connection.query('select 1 from mysql.user limit 1');
        connection.destroy();
      }
    },
    dispose,
  };
}

/** Starts a cluster of three nodes, in two attempts; a text says why there is none. */
export async function startGalera(): Promise<GaleraCluster | string> {
  const first = await tryGalera();
  return typeof first === 'string' ? tryGalera() : first;
}
