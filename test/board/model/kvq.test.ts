/** Commands of two boards beside a worker of BullMQ or Bull leave each job as one of their orders does. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { everyServiceRequired } from '../../services/index.ts';
import { seed } from '../../seed.ts';
import { isQuick, isSharedOut } from '../../setup/left-to-ci.ts';
import { kvqQueue } from './kvq.ts';
import {
  type Store,
  bullOnRedis,
  bullmq5OnRedis,
  bullmqOnPostgresql,
  bullmqOnRedis,
} from './kvq-stores.ts';
import { followsModel } from './run-model.ts';

const stores = [
  ['BullMQ on Redis', bullmqOnRedis, false],
  ['BullMQ 5 on Redis', bullmq5OnRedis, false],
  ['BullMQ on PostgreSQL', bullmqOnPostgresql, true],
  ['Bull on Redis', bullOnRedis, false],
] as const;

/** A run of a developer leaves the older BullMQ out, and CI one of those that the seed chooses. */
const leftOut = isQuick || seed % 2 === 0 ? bullmq5OnRedis : bullOnRedis;

describe.each(stores.filter(([, open]) => !isSharedOut || open !== leftOut))(
  'on %s',
  (_name, open, passesHeld) => {
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
  },
);
