/** `sluice board` on a Redis Cluster and behind Sentinel, with passwords, and its end while clients listen. */

import { writeFile } from 'node:fs/promises';
import { Queue } from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answers, ownRedis } from '../board/kvq/own-redis.ts';
import type { OwnRedis } from '../board/kvq/own-redis.ts';
import {
  findProgram,
  freePort,
  scratchDirectory,
  startServer,
} from '../services/server-process.ts';
import { runBoard } from './run-board.ts';

const program = findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);
const host = '127.0.0.1';

/** A server of the test, with a user of its own. */
async function started(extra: readonly string[] = []): Promise<OwnRedis> {
  const server = (await ownRedis(extra)) as OwnRedis;
  await server.start();
  onTestFinished(() => server.stop());
  return server;
}

describe.skipIf(!program)('sluice board', () => {
  it('finds the queues of every node of a cluster, and none of Bull', async () => {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf'];
    const nodes = [await started(cluster), await started(cluster)];
    const direct = nodes.map(({ port }) => new Redis({ host, port }));
    const ranges = ['0 8191', '8192 16383'];
    for (const [index, node] of direct.entries()) {
      await node.call('CLUSTER', 'ADDSLOTSRANGE', ...(ranges[index] ?? '').split(' '));
    }
    await direct[0]?.call('CLUSTER', 'MEET', host, String(nodes[1]?.port));
    for (const node of direct) {
      await expect
        .poll(async () => String(await node.call('CLUSTER', 'INFO')))
        .toMatch(/cluster_state:ok[^]*cluster_known_nodes:2/);
      await node.call('ACL', 'SETUSER', 'ann', 'on', '>word', '~*', '&*', '+@all');
    }
    const ports = nodes.map(({ port }) => `${host}:${port}`).join(',');
    const client = new Cluster(nodes.map(({ port }) => ({ host, port })));
    const prefixes = ['{a}', '{b}', '{c}', '{d}'];
    for (const prefix of prefixes) {
      const queue = new Queue(`of ${prefix}`, { connection: client, prefix });
      await queue.add('job', {});
      await queue.close();
    }
    await client.set('{a}:old:id', '1');
    await client.quit();
    expect(await Promise.all(direct.map((node) => node.dbsize()))).not.toContain(0);
    for (const node of direct) node.disconnect();
    const board = await runBoard(['--cluster', ports, '--prefix', prefixes.join()], {
      env: { BOARD_KV_USERNAME: 'ann', BOARD_KV_PASSWORD: 'word' },
    });
    await expect
      .poll(() => board.queues().catch(() => []))
      .toEqual(prefixes.map((prefix) => `of ${prefix}`));
    expect(board.printed.err).toContain('queues of Bull are not shown: Bull does not work on a');
    expect(await board.stop()).toBe(0);
  });

  it('asks Sentinel for the server, and ends while a client listens', async () => {
    const server = await started();
    const admin = new Redis({ host, port: server.port });
    await admin.call('CONFIG', 'SET', 'requirepass', 'word');
    admin.disconnect();
    const port = await freePort();
    const directory = await scratchDirectory('cli-sentinel');
    const config = `${directory}/sentinel.conf`;
    await writeFile(
      config,
      `port ${port}\nbind ${host}\nsentinel monitor main ${host} ${server.port} 1\nsentinel auth-pass main word\n`,
    );
    const stop = await startServer(program ?? '', [config, '--sentinel'], directory, () =>
      answers(port),
    );
    onTestFinished(() => stop?.());
    const connection = { host, port: server.port, password: 'word', db: 2 };
    const queue = new Queue('mails', { connection });
    await queue.add('job', {});
    await queue.close();
    const args = ['--sentinel', `${host}:${port}`, '--sentinel-name', 'main', '--kv-db', '2'];
    const board = await runBoard(args, { env: { BOARD_KV_PASSWORD: 'word' } });
    await expect.poll(() => board.queues().catch(() => [])).toEqual(['mails']);
    expect(await board.json('/api/kv/stats')).toMatchObject({ mode: 'sentinel' });
    const live = await board.get('/api/live', { accept: 'text/event-stream' });
    expect(live.headers.get('content-type')).toContain('text/event-stream');
    const ended = live.text().catch(() => 'ended');
    expect(await board.stop()).toBe(0);
    await ended;
  });
});
