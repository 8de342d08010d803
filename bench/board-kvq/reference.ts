/**
 * Listings written by hand on `node:http` and ioredis, for one page of this benchmark only. They validate and share
 * nothing, and trust what Redis holds.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { Redis } from 'ioredis';

const sets = ['waiting-children', 'prioritized', 'completed', 'failed', 'delayed', 'repeat'];

function served(port: number, answer: (client: Redis) => Promise<Answer>): Server {
  const client = new Redis({ port, host: '127.0.0.1' });
  const server = createServer((_request, response) => {
    void answer(client).then(({ headers, body }) => {
      for (const [name, value] of headers) response.setHeader(name, value);
      response.end(body);
    });
  });
  server.on('close', () => client.disconnect());
  return server;
}

interface Answer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Buffer;
}

/** Answers with the numbers of all queues and the hashes of the first ten waiting jobs of one: a fifth of the bytes. */
export function minimalServer(port: number, names: readonly string[], active: string): Server {
  return served(port, async (client) => {
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
    return {
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({ queues }),
    };
  });
}

/** The parts of an answer that are the same for every queue and request. */
export interface Template {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly queue: object;
}

function jobOf(id: string, hash: Readonly<Record<string, string>>): object {
  return {
    id,
    name: hash['name'],
    timestamp: Number(hash['timestamp']),
    processedOn: Number(hash['processedOn']) || null,
    processedBy: hash['pb'] ?? null,
    finishedOn: Number(hash['finishedOn']) || null,
    progress: JSON.parse(hash['progress'] ?? '0'),
    attempts: Number(hash['atm'] ?? 0),
    stacktrace: JSON.parse(hash['stacktrace'] ?? '[]'),
    delay: Number(hash['delay']),
    opts: JSON.parse(hash['opts'] ?? '{}'),
    data: JSON.parse(hash['data'] ?? '{}'),
    returnValue: JSON.parse(hash['returnvalue'] ?? 'null'),
    isFailed: hash['failedReason'] !== undefined,
    state: 'waiting',
  };
}

/** Answers with the bytes of the board: the same headers, ETag and body, from the same commands without a script. */
export function equalServer(
  port: number,
  names: readonly string[],
  active: string,
  template: Template,
): Server {
  const clientNames = names.map((name) => `bull:${Buffer.from(name).toString('base64')}`);
  return served(port, async (client) => {
    const pipeline = client.pipeline();
    for (const name of names) {
      const base = `bull:${name}:`;
      pipeline.llen(`${base}active`).llen(`${base}wait`).lindex(`${base}wait`, -1);
      for (const set of sets) pipeline.zcard(base + set);
      pipeline.hmget(`${base}meta`, 'paused', 'concurrency', 'max').get(`${base}limiter`);
    }
    pipeline.client('LIST').lrange(`bull:${active}:wait`, 0, 9);
    const replies = ((await pipeline.exec()) ?? []).map(([, value]) => value);
    const ids = replies.at(-1) as string[];
    const page = client.pipeline();
    for (const id of ids) page.hgetall(`bull:${active}:${id}`);
    const hashes = (await page.exec()) ?? [];
    const jobs = hashes.map(([, hash], index) =>
      jobOf(ids[index] ?? '', hash as Record<string, string>),
    );
    const workers = new Set(
      Array.from(String(replies.at(-2)).matchAll(/ name=(\S+)/g), ([, name]) => name),
    );
    const facts = sets.length + 5;
    const queues = names.map((name, index) => {
      const [running, waiting, last, children, prioritized, completed, failed, delayed, repeat] =
        replies.slice(index * facts, (index + 1) * facts) as number[];
      const meta = replies[index * facts + facts - 2] as (string | null)[];
      const marker = String(last).startsWith('0:') ? 1 : 0;
      const isActive = name === active;
      const counts = {
        active: running,
        waiting: Number(waiting) - marker,
        'waiting-children': children,
        prioritized,
        completed,
        failed,
        delayed,
      };
      return {
        ...template.queue,
        name,
        counts,
        jobs: isActive ? jobs : [],
        pagination: {
          pageCount: isActive ? Math.ceil(counts.waiting / 10) : 1,
          range: { start: 0, end: 9 },
        },
        isPaused: meta[0] !== null,
        globalConcurrency: meta[1] ? Number(meta[1]) : null,
        activeRateLimitTtl: 0,
        jobSchedulerCount: repeat,
        hasWorkers: workers.has(clientNames[index]),
      };
    });
    const body = Buffer.from(JSON.stringify({ queues }));
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    return {
      headers: [
        ...template.headers,
        ['etag', `W/"${hash}"`],
        ['content-length', String(body.byteLength)],
      ],
      body,
    };
  });
}
