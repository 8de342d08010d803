/** Statements that are ended for a request that is over. */

import { expect, it } from 'vitest';
import { Stop } from '../../../src/relational/read/stop.ts';

it('keep their connection until a cancel request has arrived that is on its way', async () => {
  const stop = new Stop();
  const sent = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const events: string[] = [];
  const running = stop
    .during(
      () => {
        sent.resolve();
        return arrived.promise.then(() => void events.push('arrived'));
      },
      () => ended.promise,
    )
    .then((rows) => {
      events.push('free');
      return rows;
    });
  stop.stop();
  await sent.promise;
  ended.resolve(7);
  await new Promise((resolve) => setImmediate(resolve));
  arrived.resolve();
  expect(await running).toBe(7);
  expect(events).toEqual(['arrived', 'free']);
});
