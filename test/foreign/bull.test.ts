/** The private parts of Bull, in the oldest and the newest version that is known. */

import type Bull from 'bull';
import { afterAll, describe, expect, it } from 'vitest';
import type { BullQueue } from '../../src/board/kvq/libraries/bull-types.ts';
import {
  assertDryRuns,
  defaultOptionsOf,
  dryRun,
} from '../../src/board/kvq/libraries/bull/foreign.ts';
import { everyServiceRequired, findRedis } from '../services/index.ts';
import { installed } from './versions.ts';

const redis = await findRedis();
if ('missing' in redis && everyServiceRequired()) throw new Error(redis.advice);
const url = 'missing' in redis ? '' : redis.url;
afterAll(async () => {
  if (!('missing' in redis)) await redis.dispose();
});

describe.skipIf(url === '').each(installed('bull-4.5', 'bull'))('bull $version', ({ module }) => {
  const Queue = module<typeof Bull>();

  it('tells the next run of a repeatable job as it stores it, and the default options', async () => {
    const prefix = `foreign${crypto.randomUUID()}`;
    const defaultJobOptions = { attempts: 3 };
    const queue = new Queue('mails', url, { prefix, defaultJobOptions });
    await queue.isReady();
    const tested = queue as unknown as BullQueue;
    expect(() => assertDryRuns(tested)).not.toThrow();
    expect(defaultOptionsOf(tested)).toEqual(defaultJobOptions);
    const options = () => ({ repeat: { cron: '0 0 2 1 *', tz: 'UTC' }, jobId: 'yearly' });
    const run = dryRun(tested, 'mail', options());
    await queue.add('mail', {}, options());
    expect(await queue.getRepeatableJobs()).toMatchObject([{ key: run?.key, next: run?.at }]);
    await queue.obliterate({ force: true });
    await queue.close();
  });
});

it.each([{}, { nextRepeatableJob: () => undefined }])(
  'is refused where it computes no run: %o',
  (queue) => {
    expect(() => assertDryRuns(queue as unknown as BullQueue)).toThrow(
      expect.objectContaining({ refusal: 'unsupported' }),
    );
  },
);
