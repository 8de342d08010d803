/** The private parts of BullMQ, in the oldest and the newest version that is known. */

import type * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { bullmqQueue, createBoard } from '../../src/board/index.ts';
import { repeatStrategyOf } from '../../src/board/kvq/libraries/bullmq/foreign.ts';
import { everyServiceRequired, findRedis } from '../services/index.ts';
import { installed } from './versions.ts';

const redis = await findRedis();
if ('missing' in redis && everyServiceRequired()) throw new Error(redis.advice);
const url = 'missing' in redis ? '' : redis.url;
afterAll(async () => {
  if (!('missing' in redis)) await redis.dispose();
});

const noon = Date.UTC(2040, 0, 2, 12);

describe.skipIf(url === '').each(installed('bullmq-5.16', 'bullmq'))(
  'bullmq $version',
  ({ module }) => {
    const { Queue } = module<typeof bullmq>();

    it('tells the next run of a schedule, which a board shows', async () => {
      const connection = new Redis(url, { maxRetriesPerRequest: null });
      const prefix = `foreign${crypto.randomUUID()}`;
      const queue = new Queue('mails', { connection: connection as never, prefix });
      await queue.waitUntilReady();
      const strategy = await repeatStrategyOf(queue);
      expect(await strategy(noon, { pattern: '0 * * * *', tz: 'UTC' }, 'mail')).toBe(
        noon + 3_600_000,
      );
      await queue.upsertJobScheduler('hourly', { pattern: '0 * * * *', tz: 'UTC' });
      const lines: unknown[] = [];
      const log = (...line: unknown[]) => void lines.push(line);
      const logger = { warn: log, error: log };
      const shown = async (shownQueue: bullmq.Queue) => {
        const board = createBoard({
          queues: [bullmqQueue(shownQueue as never)],
          auth: false,
          options: { logger },
        });
        const answer = await board.fetch(new Request('http://x/api/job-schedulers?runs=3'));
        await board.close();
        const { schedulers } = (await answer.json()) as { schedulers: { nextRuns?: string[] }[] };
        return schedulers.map(({ nextRuns }) => nextRuns?.length);
      };
      expect(await shown(queue)).toEqual([3]);
      expect(lines).toEqual([]);
      const lacking = new Proxy(queue, {
        get: (target, name) =>
          name === 'jobScheduler' ? Promise.resolve({}) : (Reflect.get(target, name) as unknown),
      });
      expect(await shown(lacking)).toEqual([undefined]);
      expect(lines).toEqual([
        [expect.stringMatching(/the next runs of queue "mails" cannot be read/), expect.any(Error)],
      ]);
      await queue.obliterate({ force: true });
      await queue.close();
      await connection.quit();
    });
  },
);
