/**
 * The worker process of the throughput benchmark. Argument: port of Redis. At a message with a number of jobs, which are
 * in the queue, it works on them and tells the seconds, and its processor time in milliseconds.
 */

import { Worker } from 'bullmq';
import { performance } from 'node:perf_hooks';

const worker = new Worker('work', async () => undefined, {
  connection: { host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null },
  concurrency: 50,
  metrics: { maxDataPoints: 1_440 },
});
await worker.waitUntilReady();
await worker.pause();

async function work(jobs: number): Promise<object> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  await new Promise<void>((resolve) => {
    let left = jobs;
    const listener = (): void => {
      left -= 1;
      if (left > 0) return;
      worker.off('completed', listener);
      resolve();
    };
    worker.on('completed', listener);
    worker.resume();
  });
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - start) / 1_000;
  await worker.pause();
  return { seconds, cpu: (user + system) / 1_000 };
}

process.on('message', (jobs: number) => {
  void work(jobs).then((worked) => process.send?.(worked));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
