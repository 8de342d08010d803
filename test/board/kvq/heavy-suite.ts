/** The suite of reads that may be large, on Redis: a connection of their own, and a budget that they share. */

import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Cell, TestQueue } from './cell.ts';
import { keyOf, suiteOf, until } from './suite.ts';
import { serveBoard } from './http-board.ts';

/**
 * Watches the connections that boards of this process open from now on. The server lists those of other test files
 * under the same name, which come and go meanwhile.
 */
function watched({ redis }: TestQueue): () => Promise<string[]> {
  const ports = new Set<string>();
  const opened = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => ports.add(String(socket.localPort)));
  };
  subscribe('net.client.socket', opened);
  onTestFinished(() => void unsubscribe('net.client.socket', opened));
  return async () => {
    const list = String(await redis?.client.client('LIST'));
    return list.split('\n').flatMap((line) => {
      const [, id, port] = /^id=(\d+) addr=\S+:(\d+) .*name=sluice-board /.exec(line) ?? [];
      return id !== undefined && port !== undefined && ports.has(port) ? [id] : [];
    });
  };
}

/** Runs the suite for a cell. */
export function heavySuite(cell: Cell): void {
  suiteOf(cell, ({ world, test }) => {
    const logged = async (
      queue: TestQueue,
      id: string,
      lines: readonly string[],
    ): Promise<void> => {
      await queue.add('talks', {}, { jobId: id, delay: 600_000 });
      for (let at = 0; at < lines.length; at += 1_000) {
        await queue.redis?.client.rpush(
          queue.redis.key(`${id}:logs`),
          ...lines.slice(at, at + 1_000),
        );
      }
    };
    const linesOf = (count: number, width: number): string[] =>
      Array.from({ length: count }, (_none, nth) => `${nth} ${'é"'.repeat(width / 2)}`);

    test('opens its connection at the first heavy read, and closes it with the board', async () => {
      const queue = await world().queue('own');
      const appeared = watched(queue);
      const boards = await Promise.all([1, 2].map(() => serveBoard([queue.boardQueue()])));
      const [first, second] = boards;
      const id = await queue.add('one', { a: 1 });
      await first?.send('POST', '/api/queues/own/add', { name: 'two' });
      await first?.get('/api/queues');
      await first?.get('/api/workers');
      expect(await appeared()).toHaveLength(0);
      for (const path of ['', '/logs', '/flow', '']) {
        expect((await first?.get(`/api/queues/own/${id}${path}`))?.status).toBe(200);
        expect(await appeared()).toHaveLength(1);
      }
      for (const path of ['search?name=none', 'jobs', 'one/logs?limit=1']) {
        expect((await second?.get(`/api/queues/own/${path}`))?.status).toBe(200);
      }
      expect(await appeared()).toHaveLength(2);
      await first?.close();
      await until(async () => (await appeared()).length === 1);
      expect((await second?.get(`/api/queues/own/${id}`))?.status).toBe(200);
      await second?.close();
      await until(async () => (await appeared()).length === 0);
      expect(await queue.add('three', {})).toEqual(expect.any(String));
    });

    test('connects again after its connection is lost', async () => {
      const queue = await world().queue('lost');
      const appeared = watched(queue);
      const board = await serveBoard([queue.boardQueue()]);
      await logged(queue, 'long', linesOf(3_000, 200));
      for (let round = 0; round < 3; round += 1) {
        const [before] = await appeared();
        if (before) await queue.redis?.client.client('KILL', 'ID', before);
        await until(async () => (await board.get('/api/queues/lost/long/logs')).status === 200);
        expect(await appeared()).not.toContain(before);
      }
      await board.close();
    });

    test('answers with long logs of any form as they are stored', async () => {
      const queue = await world().queue('logs');
      const board = await serveBoard([queue.boardQueue()], { maxReadBytes: 3_000_000 });
      const path = '/api/queues/logs';
      const logs: Readonly<Record<string, string[]>> = {
        few: linesOf(3, 10),
        many: linesOf(12_345, 20),
        wide: linesOf(40, 200_000),
        mixed: linesOf(2_500, 20).map((line, nth) =>
          nth % 500 === 7 ? 'x'.repeat(300_000) : line,
        ),
        equal: linesOf(4_000, 0).map(() => 'same'),
      };
      for (const [id, lines] of Object.entries(logs)) {
        await logged(queue, id, lines);
        const { body } = await board.get(`${path}/${id}/logs?window=true`);
        const bytes = (some: readonly string[]): number => Buffer.byteLength(some.join(''));
        const rest = lines.slice(-body.lines.length);
        expect([id, body.total, body.start]).toEqual([
          id,
          lines.length,
          lines.length - rest.length,
        ]);
        expect(body.lines).toEqual(rest);
        // The lines are as many as the limits allow.
        const next = lines.at(-body.lines.length - 1) ?? '';
        const isWhole = rest.length === lines.length || rest.length === 10_000;
        expect(bytes(rest)).toBeLessThanOrEqual(3_000_000);
        expect(isWhole || bytes([next, ...rest]) > 3_000_000).toBe(true);
        expect((await board.get(`${path}/${id}/logs`)).body).toEqual(rest);
        const page = (await board.get(`${path}/${id}/logs?start=2&limit=1000`)).body;
        expect(page.lines).toEqual(lines.slice(2, 2 + page.lines.length));
        expect(page.truncated).toBe(bytes(lines.slice(2, 1_002)) > 3_000_000);
      }
      expect(board.errors).toEqual([]);
      await board.close();
    });

    test('reads a log whose oldest lines go meanwhile without a gap', async () => {
      const queue = await world().queue('moving');
      const board = await serveBoard([queue.boardQueue()]);
      await logged(queue, 'kept', linesOf(5_000, 100));
      const { client, key } = queue.redis ?? {};
      const log = key?.('kept:logs') ?? '';
      let ends = false;
      const writing = (async () => {
        for (let nth = 5_000; !ends; nth += 1) {
          await client
            ?.multi()
            .rpush(log, `${nth} ${'é"'.repeat(50)}`)
            .ltrim(log, -5_000, -1)
            .exec();
        }
      })();
      for (let round = 0; round < 10; round += 1) {
        const { body } = await board.get('/api/queues/moving/kept/logs');
        const numbers = body.map((line: string) => Number.parseInt(line, 10));
        const [first] = numbers;
        expect(numbers).toEqual(Array.from({ length: 5_000 }, (_none, nth) => first + nth));
      }
      ends = true;
      await writing;
      await board.close();
    });

    test('reads once what many ask for, and refuses what would wait too long', async () => {
      const queue = await world().queue('crowd');
      const board = await serveBoard([queue.boardQueue()], { validateResponses: false });
      // Six scripts read such a log, and the third makes it large: nobody's last comes before all have sent their third.
      const lines = linesOf(2_500, 200);
      await logged(queue, 'same', lines);
      const { client } = queue.redis ?? {};
      const get = (id: string, signal?: AbortSignal): Promise<Response> =>
        fetch(`${board.url}/api/queues/crowd/${id}/logs`, { ...(signal && { signal }) });
      const alike = await Promise.all(Array.from({ length: 10 }, () => get('same')));
      for (const answer of alike) expect(await answer.json()).toEqual(lines);
      const ids = Array.from({ length: 80 }, (_none, nth) => `log-${nth}`);
      const log = (id: string): string => queue.redis?.key(`${id}:logs`) ?? '';
      for (const id of ids) {
        await queue.add('talks', {}, { jobId: id, delay: 600_000 });
        await client?.copy(log('same'), log(id));
      }
      const gone = new AbortController();
      const leaving = Promise.allSettled(
        Array.from({ length: 200 }, (_none, nth) => get(ids[nth % ids.length] ?? '', gone.signal)),
      );
      const small = await board.get('/api/queues/crowd/same');
      expect(small.status).toBe(200);
      const refused = await Promise.all(ids.map((id) => get(id)));
      const statuses = new Map(Map.groupBy(refused, ({ status }) => status));
      expect([...statuses.keys()].toSorted()).toEqual([200, 503]);
      for (const answer of statuses.get(503) ?? []) {
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(keyOf({ ...answer, status: 503, body: await answer.json() })).toBe('503 READ_LIMIT');
      }
      gone.abort();
      await leaving;
      await until(async () => (await get('log-1')).status === 200);
      await board.close();
    });

    test('lets its process end with the connection of the host', async () => {
      const queue = await world().queue('ends');
      const { client, key } = queue.redis ?? {};
      const id = await queue.add('one', {});
      const [prefix = ''] = (key?.('') ?? '').split(':ends');
      const { host, port, db } = client?.options ?? {};
      const args = [JSON.stringify({ cell: cell.name, prefix, id, host, port, db })];
      const file = new URL('./board-left-open.ts', import.meta.url).pathname;
      const child = spawn(process.execPath, [file, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.on('data', (chunk) => (printed += String(chunk)));
      const [code] = await once(child, 'exit');
      expect([code, printed.trim()]).toEqual([0, '200 200']);
    });
  });
}
