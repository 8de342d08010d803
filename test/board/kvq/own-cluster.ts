/** A Redis Cluster of three masters on local `redis-server` processes. */

import { Redis } from 'ioredis';
import { ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';
import { until } from './suite.ts';

const slotCount = 16_384;

export interface OwnCluster {
  readonly nodes: readonly OwnRedis[];
  stop(): Promise<void>;
}

/** Starts the cluster, and waits until its nodes know each other. */
export async function ownCluster(): Promise<OwnCluster> {
  const made = await Promise.all(
    Array.from({ length: 3 }, () =>
      ownRedis(['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf']),
    ),
  );
  const nodes = made.filter((node) => node !== null);
  await Promise.all(nodes.map((node) => node.start()));
  const direct = nodes.map(({ port }) => new Redis({ port, host: '127.0.0.1' }));
  const share = Math.ceil(slotCount / direct.length);
  for (const [index, node] of direct.entries()) {
    const last = Math.min(slotCount, (index + 1) * share) - 1;
    await node.call('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
    await direct[0]?.call('CLUSTER', 'MEET', '127.0.0.1', String(nodes[index]?.port));
  }
  await until(async () => {
    const infos = await Promise.all(direct.map((node) => node.call('CLUSTER', 'INFO')));
    return infos.every(
      (info) => /cluster_state:ok/.test(String(info)) && /cluster_known_nodes:3/.test(String(info)),
    );
  }, 30_000);
  for (const node of direct) node.disconnect();
  return { nodes, stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))) };
}
