/**
 * A recorder in a process of its own, which a test may kill or stop at any moment. It tells of each write; at a message it
 * stops itself between a reading with durations and its write, so that it writes later what it has read now.
 */

import { Redis } from 'ioredis';
import { bullmqQueue } from '../../../src/board/index.ts';
import { MetricsRecorder } from '../../../src/metrics/index.ts';
import type { MetricsStore } from '../../../src/metrics/index.ts';
import { queuesAt, storeAt } from './settings.ts';
import type { RecorderEvent, RecorderSettings } from './settings.ts';

const settings = JSON.parse(process.argv[2] ?? '') as RecorderSettings;
const { redis, prefix, queues, intervalMs, marginMs } = settings;
const { store } = storeAt(settings.store, prefix);
const tell = (event: RecorderEvent): void => void process.send?.(event);
const connection = new Redis(redis, { maxRetriesPerRequest: null });
let stops = false;
process.on('message', () => {
  stops = true;
});
const commit = store.commit.bind(store);
store.commit = async (given: Parameters<MetricsStore['commit']>[0]) => {
  tell('read');
  if (stops && given.writes.some(({ samples }) => (samples?.hours.length ?? 0) > 0)) {
    stops = false;
    tell('stopping');
    process.kill(process.pid, 'SIGSTOP');
  }
  const answer = await commit(given);
  tell('written');
  return answer;
};
new MetricsRecorder({
  store,
  queues: queuesAt(connection, prefix, queues).map((queue) => bullmqQueue(queue)),
  snapshotIntervalMs: intervalMs,
  latencySafetyMarginMs: marginMs,
}).start();
