/**
 * A minimal listing: `node:http` and an ioredis pipeline with the data of all queues and one `CLIENT LIST` that is not
 * parsed, then the jobs of the page. It validates, shares and formats nothing.
 */

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Redis } from 'ioredis';

const sets = ['waiting-children', 'prioritized', 'completed', 'failed', 'delayed', 'repeat'];

/** Answers every request with all queues and the first ten waiting jobs of one. */
export function referenceServer(port: number, names: readonly string[], active: string): Server {
  const client = new Redis({ port, host: '127.0.0.1' });
  const listing = async (): Promise<object> => {
    const pipeline = client.pipeline();
    for (const name of names) {
      const base = `bull:${name}:`;
      pipeline.llen(`${base}active`).llen(`${base}wait`);
      for (const set of sets) pipeline.zcard(base + set);
      pipeline.hmget(`${base}meta`, 'paused', 'concurrency').pttl(`${base}limiter`);
    }
    pipeline.client('LIST').lrange(`bull:${active}:wait`, 0, 9);
    const replies = (await pipeline.exec()) ?? [];
    const ids = replies.at(-1)?.[1] as string[];
    const page = client.pipeline();
    for (const id of ids) page.hgetall(`bull:${active}:${id}`);
    const jobs = ((await page.exec()) ?? []).map(([, fields]) => fields);
    const facts = sets.length + 4;
    const queues = names.map((name, index) => ({
      name,
      facts: replies.slice(index * facts, (index + 1) * facts).map(([, value]) => value),
      jobs: name === active ? jobs : [],
    }));
    return { queues };
  };
  const server = createServer((_request, response) => {
    void listing().then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
  server.on('close', () => client.disconnect());
  return server;
}
