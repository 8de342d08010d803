/** The board on Redis Cluster and behind Sentinel, on local `redis-server` processes. */

import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Cluster, Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { MetricsRecorder, redisMetricsStore } from '../../../src/metrics/index.ts';
import {
  findProgram,
  freePort,
  scratchDirectory,
  startServer,
} from '../../services/server-process.ts';
import { writeFile } from 'node:fs/promises';
import { keyOf, until } from './suite.ts';
import { openWire } from './counting-proxy.ts';
import type { Wire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';
import { answers, ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';
import { ownCluster } from './own-cluster.ts';
import type { OwnCluster } from './own-cluster.ts';
import { quiet } from '../../quiet.ts';

const program = findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);

describe.skipIf(!program)('a cluster of three nodes', () => {
  let cluster: OwnCluster;
  let wires: Wire[] = [];
  let client: Cluster;
  let queues: bullmq6.Queue[] = [];

  beforeAll(async () => {
    cluster = await ownCluster();
    const { nodes } = cluster;
    wires = await Promise.all(nodes.map(({ port }) => openWire(`redis://127.0.0.1:${port}`)));
    const natMap = Object.fromEntries(
      nodes.map(({ port }, index) => [
        `127.0.0.1:${port}`,
        { host: '127.0.0.1', port: wires[index]?.port ?? 0 },
      ]),
    );
    client = new Cluster([{ host: '127.0.0.1', port: wires[0]?.port ?? 0 }], {
      natMap,
      redisOptions: { maxRetriesPerRequest: null },
    });
    client.on('error', quiet);
    const make = (lib: typeof bullmq6, name: string): bullmq6.Queue => {
      const connection = client as unknown as bullmq6.ConnectionOptions;
      const queue = new lib.Queue(name, { connection, prefix: `{${name}}` });
      queue.on('error', quiet);
      return queue;
    };
    queues = [
      ...Array.from({ length: 20 }, (_, index) => make(bullmq6, `six-${index}`)),
      ...Array.from({ length: 10 }, (_, index) =>
        make(bullmq5 as unknown as typeof bullmq6, `five-${index}`),
      ),
    ];
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
    for (const queue of queues) {
      await queue.add('a', { queue: queue.name });
      await queue.add('later', {}, { delay: 60_000 });
    }
  }, 60_000);

  afterAll(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    client?.disconnect();
    await Promise.all(wires.map((wire) => wire.close()));
    await cluster?.stop();
  });

  it('lists all queues with one batch per node', async () => {
    const board = await serveBoard(queues.map((queue) => bullmqQueue(queue)));
    await board.get('/api/queues');
    for (const wire of wires) wire.writes.length = 0;
    const { status, body } = await board.get('/api/queues');
    expect(status).toBe(200);
    expect(body.queues).toHaveLength(30);
    for (const queue of body.queues) {
      expect(queue).toMatchObject({ counts: { waiting: 1, delayed: 1 }, hasWorkers: false });
      expect(queue).not.toHaveProperty('problem');
    }
    expect(wires.map((wire) => wire.writes.length)).toEqual([1, 1, 1]);
    expect(board.errors).toEqual([]);
    await board.close();
  });

  it('reads and changes jobs on every node', async () => {
    const board = await serveBoard(queues.map((queue) => bullmqQueue(queue)));
    for (const name of ['six-0', 'six-1', 'six-2', 'six-3', 'five-0', 'five-1']) {
      const path = `/api/queues/${name}`;
      const page = await board.get(`/api/queues?activeQueue=${name}&status=delayed`);
      const active = page.body.queues.find((queue: { name: string }) => queue.name === name);
      const [{ id }] = active.jobs;
      expect((await board.get(`${path}/${id}`)).body.status).toBe('delayed');
      expect((await board.get(`${path}/${id}/flow`)).status).toBe(200);
      expect((await board.send('PUT', `${path}/${id}/promote`)).status).toBe(204);
      expect((await board.send('PUT', `${path}/pause`)).status).toBe(200);
      expect((await board.send('PUT', `${path}/resume`)).status).toBe(200);
      expect((await board.get(`${path}/search?name=later`)).body.jobs).toHaveLength(1);
      expect((await board.get(`${path}/workers`)).body).toEqual({ workers: [] });
      expect((await board.send('PUT', `${path}/empty`)).status).toBe(200);
    }
    expect((await board.get('/api/search?name=later&limit=100')).body.jobs).toHaveLength(24);
    expect((await board.get('/api/job-schedulers')).body).toEqual({ schedulers: [] });
    expect(board.errors).toEqual([]);
    await board.close();
  });

  it('shows a flow across queues, regardless of earlier reads', async () => {
    const connection = client as unknown as bullmq6.ConnectionOptions;
    const options = { connection, prefix: '{flow}' };
    const made = ['parents', 'children'].map((name) => new bullmq6.Queue(name, options));
    for (const queue of made) queue.on('error', quiet);
    const flows = new bullmq6.FlowProducer(options);
    const { job, children } = await flows.add({
      name: 'root',
      queueName: 'parents',
      children: [{ name: 'leaf', queueName: 'children' }],
    });
    const board = await serveBoard(made.map((queue) => bullmqQueue(queue)));
    const tree = { id: job.id, children: [{ name: 'leaf', queueName: 'children' }] };
    const fromRoot = await board.get(`/api/queues/parents/${job.id}/flow`);
    expect(fromRoot.body.flowRoot).toMatchObject(tree);
    const fromLeaf = await board.get(`/api/queues/children/${children?.[0]?.job.id}/flow`);
    expect(fromLeaf.body.flowRoot).toMatchObject(tree);
    await board.close();
    await flows.close();
    await Promise.all(made.map((queue) => queue.close()));
  });

  it('sums the statistics of its masters', async () => {
    const board = await serveBoard(queues.map((queue) => bullmqQueue(queue)));
    const { body } = await board.get('/api/kv/stats');
    expect(body).toMatchObject({ mode: 'cluster', backend: 'kv' });
    expect(body.clients.connected).toBeGreaterThanOrEqual(3);
    await board.close();
  });

  it('records the history of queues on every node in one slot', async () => {
    const store = redisMetricsStore(client, { prefix: 'recorded' });
    const errors: Error[] = [];
    const recorders = [1, 2].map(
      () =>
        new MetricsRecorder({
          store,
          queues: queues.map((queue) => bullmqQueue(queue)),
          latencySafetyMarginMs: 0,
          onSnapshotError: (error) => void errors.push(error),
        }),
    );
    await Promise.all(recorders.map((recorder) => recorder.tick()));
    const worked = queues.slice(0, 4);
    const workers = worked.map(({ name }) => {
      const connection = client as unknown as bullmq6.ConnectionOptions;
      const metrics = { maxDataPoints: 60 };
      const options = { connection, prefix: `{${name}}`, metrics };
      return new bullmq6.Worker(name, async () => undefined, options).on('error', quiet);
    });
    const counts = async (): Promise<number[]> => {
      await Promise.all(recorders.map((recorder) => recorder.tick()));
      const now = Math.floor(Date.now() / 60_000);
      const names = [...worked.map(({ name }) => name), '__global__'];
      const series = await store.minutes('completed', names, now - 60, now + 1);
      return series.map((points) => points.reduce((sum, [, count]) => sum + count, 0));
    };
    const before = await counts();
    for (const queue of worked) await queue.addBulk([1, 2, 3].map((n) => ({ name: 'n', data: n })));
    await until(async () => {
      const now = await counts();
      return now.slice(0, -1).every((count, at) => count >= (before[at] ?? 0) + 3);
    }, 30_000);
    const after = await counts();
    const total = after.slice(0, -1).reduce((sum, count) => sum + count, 0);
    expect(after.at(-1)).toBe(total);
    const usage = await store.usage();
    expect(usage.queues.map(({ queue }) => queue)).toEqual(
      expect.arrayContaining(worked.map(({ name }) => name)),
    );
    await store.purge({});
    expect((await store.usage()).queues).toEqual([]);
    expect(errors).toEqual([]);
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(recorders.map((recorder) => recorder.stop()));
  });

  it('shows the queues of the other nodes when one has been silent for "nodeMs"', async () => {
    const timeouts = { nodeMs: 300, commandMs: 600_000 };
    const board = await serveBoard(
      queues.map((queue) => bullmqQueue(queue)),
      { timeouts },
    );
    const [wire] = wires;
    if (!wire) throw new Error('No node has a wire.');
    wire.hold = true;
    try {
      const { status, body } = await board.get('/api/queues');
      expect(status).toBe(200);
      const troubled = body.queues.filter((queue: object) => 'problem' in queue);
      expect(troubled.length).toBeGreaterThan(0);
      expect(troubled.length).toBeLessThan(30);
    } finally {
      wire.hold = false;
      await board.close();
    }
  });

  it('shows the queues of the remaining nodes when one is down', async () => {
    const board = await serveBoard(queues.map((queue) => bullmqQueue(queue)));
    await board.get('/api/queues');
    await cluster.nodes[2]?.stop();
    wires[2]?.cut();
    const { status, body } = await board.get('/api/queues');
    expect(status).toBe(200);
    const troubled = body.queues.filter((queue: object) => 'problem' in queue);
    expect(troubled.length).toBeGreaterThan(0);
    expect(troubled.length).toBeLessThan(30);
    expect(troubled[0].problem).toEqual({ key: 'ERRORS.KV_UNAVAILABLE' });
    await board.close();
  });
});

describe.skipIf(!program)('a server behind Sentinel', () => {
  it('is served, its failure is reported, its successor is found', async () => {
    const master = (await ownRedis()) as OwnRedis;
    await master.start();
    const replica = (await ownRedis(['--replicaof', '127.0.0.1', String(master.port)])) as OwnRedis;
    await replica.start();
    const port = await freePort();
    const directory = await scratchDirectory('kvq-sentinel');
    const config = `${directory}/sentinel.conf`;
    await writeFile(
      config,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        `sentinel monitor mails 127.0.0.1 ${master.port} 1`,
        'sentinel down-after-milliseconds mails 500',
        'sentinel failover-timeout mails 2000',
      ].join('\n'),
    );
    const stop = await startServer(program ?? '', [config, '--sentinel'], directory, () =>
      answers(port),
    );
    const client = new Redis({
      sentinels: [{ host: '127.0.0.1', port }],
      name: 'mails',
      maxRetriesPerRequest: null,
      retryStrategy: () => 200,
      sentinelRetryStrategy: () => 200,
    });
    client.on('error', quiet);
    const queue = new bullmq6.Queue('watched', {
      connection: client as unknown as bullmq6.ConnectionOptions,
    });
    queue.on('error', quiet);
    await queue.waitUntilReady();
    // Report the outage before the replica has taken over.
    const board = await serveBoard([bullmqQueue(queue)], { timeouts: { connectMs: 50 } });
    try {
      await queue.add('kept', {});
      expect((await board.get('/api/kv/stats')).body.mode).toBe('sentinel');
      const direct = new Redis({ port: master.port, host: '127.0.0.1' });
      await direct.wait(1, 5_000);
      direct.disconnect();
      await until(async () => {
        const sentinel = new Redis({ port, host: '127.0.0.1' });
        const known = await sentinel.call('SENTINEL', 'REPLICAS', 'mails');
        sentinel.disconnect();
        return Array.isArray(known) && known.length > 0;
      }, 20_000);
      // A pending request may be served by the successor; a new one in the meantime is refused.
      const met = new Set<string>();
      const asking = setInterval(async () => {
        const answer = await board.get('/api/queues/watched/1');
        met.add(answer.status === 200 ? '200' : keyOf(answer));
      }, 20);
      await until(async () => met.has('200'));
      await master.stop();
      await until(async () => met.has('503 KV_UNAVAILABLE')).finally(() => clearInterval(asking));
      expect([...met].toSorted()).toEqual(['200', '503 KV_UNAVAILABLE']);
      await until(async () => (await board.get('/api/queues')).status === 200, 45_000);
      expect((await board.get('/api/queues')).body.queues[0].counts.waiting).toBe(1);
    } finally {
      await board.close();
      await queue.close().catch(quiet);
      client.disconnect();
      await stop?.();
      await replica.stop();
      await master.stop();
    }
  }, 120_000);
});
