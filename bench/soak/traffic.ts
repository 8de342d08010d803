/** A pg-boss with active queues: jobs are sent, completed, failed and retried, and warnings are stored. */

import { PgBoss } from 'pg-boss';

const queues = ['orders', 'mails', 'reports'];

/** Active queues; `stop` ends them. */
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
      if (jobs.length % 7 === 3) throw new Error('Some batches fail.');
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
