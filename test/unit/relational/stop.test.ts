/** Statements that are ended for a request that is over. */

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Stop } from '../../../src/relational/read/execution.ts';

it('keep their connection until a cancel request has arrived that is on its way', async () => {
  const stop = new Stop();
  const happens = new EventTarget();
  const tell = (name: string) => happens.dispatchEvent(new Event(name));
  const events: string[] = [];
  const running = stop
    .during(
      async () => {
        const arrived = once(happens, 'arrived');
        tell('sent');
        await arrived;
        events.push('arrived');
      },
      () => once(happens, 'ended'),
    )
    .then(() => events.push('free'));
  const sent = once(happens, 'sent');
  stop.stop();
  await sent;
  tell('ended');
  await new Promise((resolve) => setImmediate(resolve));
  tell('arrived');
  await running;
  expect(events).toEqual(['arrived', 'free']);
});

it('do not begin after the end of their request', async () => {
  const stop = new Stop();
  stop.stop();
  let begun = 0;
  const late = stop.during(
    async () => undefined,
    () => (begun += 1),
  );
  await expect(late).rejects.toThrow('The request ended before its statement began.');
  expect(begun).toBe(0);
});
