/** A pg-boss that keeps its queues moving: jobs sent, done, failed and retried, and warnings kept. */

import { PgBoss } from 'pg-boss';

const queues = ['orders', 'mails', 'reports'];

/** Moving queues; `stop` ends them. */
export async function startTraffic(url: string): Promise<{ stop(): Promise<void> }> {
  const boss = new PgBoss({
    connectionString: url,
    supervise: true,
    schedule: false,
    monitorIntervalSeconds: 2,
    persistQueueStats: true,
  });
  boss.on('error', () => undefined);
  await boss.start();
  for (const name of queues) {
    await boss.createQueue(name, { retryLimit: 1, retryDelay: 1 });
    await boss.work(name, { pollingIntervalSeconds: 0.5, batchSize: 20 }, async (jobs) => {
      if (jobs.length % 7 === 3) throw new Error('one batch in a while fails');
    });
  }
  let ended = false;
  const sending = (async () => {
    for (let n = 0; !ended; n += 1) {
      await boss.send(queues[n % queues.length] ?? 'orders', { n });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      ended = true;
      await sending;
      await boss.stop({ graceful: false });
    },
  };
}
