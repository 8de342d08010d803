/** Commands of two boards beside a worker of BullMQ or Bull leave each job as one of their orders does. */

import { afterAll, beforeAll, describe, it } from 'vitest';
import { everyServiceRequired } from '../../services/index.ts';
import { seed } from '../../seed.ts';
import { isSharedOut } from '../../setup/left-to-ci.ts';
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

/** CI and a developer's run have every other one, which the seed chooses. */
const chosen = stores.filter((_, at) => !isSharedOut || at % 2 === seed % 2);

describe.each(chosen)('on %s', (_name, open, passesHeld) => {
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
