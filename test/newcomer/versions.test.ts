/** The packed package in an empty project: a version tells nothing of what a formatter hides, on every store. */

import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Host, installedWith } from '../package/package.ts';
import { everyServiceRequired, findRedis, scratchDatabase } from '../services/index.ts';

const redis = await findRedis();
const database = await scratchDatabase('postgresql', 'versions');
for (const service of [redis, database]) {
  if ('missing' in service && everyServiceRequired()) throw new Error(service.advice);
}
const redisUrl = 'missing' in redis ? undefined : redis.url;
const databaseUrl = 'missing' in database ? undefined : database.url;
const prefix = `versions${randomBytes(4).toString('hex')}`;

let host: Host;
beforeAll(() => {
  host = installedWith('bullmq', 'bull', 'pg', 'pg-boss');
});
afterAll(async () => {
  host?.remove();
  if (redisUrl !== undefined) {
    const client = new Redis(redisUrl);
    const keys = await client.keys(`${prefix}*`);
    if (keys.length > 0) await client.del(...keys);
    await client.quit();
  }
  if (!('missing' in redis)) await redis.dispose();
  if (!('missing' in database)) await database.drop();
});

/** The output of each board as `shown` prints it: of one job, with each PIN in turn. */
const shown = `
  const pins = ['0000', '4711', '9999'];
  const hide = (data) => ({ ...data, pin: '****' });
  async function shown(board, route, change) {
    const answers = [];
    for (const pin of pins) {
      await change({ pin, n: 1 });
      const answer = await board.fetch(new Request('http://board.test/api' + route));
      const { job, version } = await answer.json();
      answers.push([job.data, version]);
    }
    return answers;
  }
`;

const kvq = (imports: string, queue: string, boardQueue: string): string => `
  import { ${boardQueue}, createBoard } from 'sluice/board';
  ${imports}
  ${shown}
  const queue = ${queue};
  const job = await queue.add('mail', { pin: pins[0], n: 1 });
  const board = createBoard({ queues: [${boardQueue}(queue).setFormatter('data', hide)], auth: false });
  const set = async (data) => { const found = await queue.getJob(job.id); await (found.updateData ?? found.update).call(found, data); };
  console.log(JSON.stringify(await shown(board, '/queues/mails/' + job.id, set)));
  await board.close();
  await queue.close();
  process.exit();
`;

const stores = [
  {
    name: 'BullMQ on Redis',
    address: redisUrl,
    program: (url: string) =>
      kvq(
        `import { Queue } from 'bullmq';`,
        `new Queue('mails', ${JSON.stringify({ connection: { url }, prefix })})`,
        'bullmqQueue',
      ),
  },
  {
    name: 'BullMQ on PostgreSQL',
    address: databaseUrl,
    program: (connectionString: string) =>
      kvq(
        `import { Queue, createPostgresBackend } from 'bullmq';`,
        `new Queue('mails', ${JSON.stringify({ connection: { connectionString, migrate: true, max: 2 } })}, createPostgresBackend)`,
        'bullmqQueue',
      ),
  },
  {
    name: 'Bull',
    address: redisUrl,
    program: (url: string) =>
      kvq(
        `import Queue from 'bull';`,
        `new Queue('mails', ${JSON.stringify(url)}, { prefix: '${prefix}-bull' })`,
        'bullQueue',
      ),
  },
  {
    name: 'pg-boss',
    address: databaseUrl,
    program: (url: string) => `
      import { createBoard } from 'sluice/board';
      import { PgBoss } from 'pg-boss';
      import pg from 'pg';
      ${shown}
      const boss = await new PgBoss(${JSON.stringify(url)}).start();
      await boss.createQueue('mails');
      const id = await boss.send('mails', { pin: pins[0], n: 1 });
      const pool = new pg.Pool({ connectionString: ${JSON.stringify(url)}, max: 2 });
      const pgq = { connection: pool, formatters: { data: hide } };
      const board = createBoard({ engine: 'pgq', pgq, auth: false });
      const set = (data) => pool.query('update pgboss.job set data = $2 where id = $1', [id, data]);
      console.log(JSON.stringify(await shown(board, '/pgq/queues/mails/jobs/' + id, set)));
      process.exit();
    `,
  },
];

it.each(stores.filter(({ address }) => address !== undefined))(
  'gives one version for every hidden value of a job: $name',
  ({ address, program }) => {
    const answers = host.run(program(address ?? '')) as (readonly [unknown, string])[];
    const first = answers[0]?.[1];
    expect(first).toMatch(/^[\w-]{22}$/);
    expect(answers).toEqual(answers.map(() => [{ pin: '****', n: 1 }, first]));
  },
);
