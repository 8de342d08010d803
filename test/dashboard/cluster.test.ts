/** The dashboard over BullMQ on a Redis Cluster: queues of every node, and commands that reach them. */

import * as bullmq from 'bullmq';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { ownCluster } from '../board/kvq/own-cluster.ts';
import type { OwnCluster } from '../board/kvq/own-cluster.ts';
import { findProgram } from '../services/server-process.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

describe.skipIf(!findProgram('redis-server', ['/usr/bin', '/usr/local/bin']))(
  'on a cluster',
  () => {
    describeInBrowser('the dashboard', (browser) => {
      let cluster: OwnCluster;
      let client: Cluster;
      let queues: bullmq.Queue[] = [];
      let board: ServedBoard;
      let open: OpenPage;
      beforeAll(async () => {
        cluster = await ownCluster();
        client = new Cluster([{ host: '127.0.0.1', port: cluster.nodes[0]?.port ?? 0 }], {
          redisOptions: { maxRetriesPerRequest: null },
        });
        client.on('error', () => undefined);
        const connection = client as unknown as bullmq.ConnectionOptions;
        // Their slots are on all three nodes.
        queues = ['mail', 'print', 'pack', 'ship', 'bill', 'sort'].map(
          (name) => new bullmq.Queue(name, { connection, prefix: `{${name}}` }),
        );
        for (const queue of queues) {
          queue.on('error', () => undefined);
          await queue.add('letter', { of: queue.name }, { delay: 3_600_000 });
        }
        board = await serveBoard(queues.map((queue) => bullmqQueue(queue)));
        open = await openPage(browser(), `${board.url}/`);
      });
      afterAll(async () => {
        await open?.close();
        await board?.close();
        await Promise.all(queues.map((queue) => queue.close()));
        client?.disconnect();
        await cluster?.stop();
      });

      it('lists the queues of all nodes, promotes a job and pauses its queue', async () => {
        const { page, complaints } = open;
        const rows = page.getByRole('table', { name: 'Queues' }).locator('tbody tr');
        await expect.poll(() => rows.count()).toBe(queues.length);
        for (const queue of queues) {
          await page.goto(`${board.url}/queue/${queue.name}?state=delayed`);
          await page.getByText(`{"of":"${queue.name}"}`).waitFor();
          await page.locator('tbody tr').getByRole('link').click();
          await page.getByRole('button', { name: 'Promote', exact: true }).click();
          await expect.poll(async () => (await queue.getJobCounts())['waiting']).toBe(1);
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Pause', exact: true }).click();
          await expect.poll(() => queue.isPaused()).toBe(true);
        }
        expect(board.errors).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });
  },
);
