/** Commands of two boards beside a worker of BullMQ or Bull leave each job as one of their orders does. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { everyServiceRequired } from '../../services/index.ts';
import { kvqQueue } from './kvq.ts';
import { type Store, bullOnRedis, bullmqOnPostgresql, bullmqOnRedis } from './kvq-stores.ts';
import { followsModel } from './run-model.ts';

describe.each([
  ['BullMQ on Redis', bullmqOnRedis, false],
  ['BullMQ on PostgreSQL', bullmqOnPostgresql, true],
  ['Bull on Redis', bullOnRedis, false],
] as const)('on %s', (_name, open, passesHeld) => {
  let store: Store | undefined;

  beforeAll(async () => {
    const opened = await open();
    if ('missing' in opened) {
      if (everyServiceRequired()) throw new Error(opened.advice);
      return;
    }
    store = opened;
  });
  afterAll(() => store?.close());

  it('jobs move as the model does', (context) => {
    const opened = store;
    if (!opened) return context.skip();
    return followsModel(() => kvqQueue(opened, passesHeld));
  });
});
