/** Pollers of one snapshot share the text of the listing, and only those to whom the queues look the same. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BoardOptions, type HookRequest, openBoard } from '../../src/board/core/index.ts';
import type { Board, EngineFactory, Grant } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { findRedis } from '../services/index.ts';
import type { Service } from '../services/index.ts';
import { newestLibrary } from './pgq/libraries.ts';
import { type World, makeWorld } from './pgq/world.ts';

/** Far longer than a test takes, so that all requests are of one snapshot. */
const snapshotMs = 600_000;

interface Listed {
  readonly queues: readonly { readonly name: string; readonly allowed?: readonly string[] }[];
  readonly allowed?: readonly string[];
}

const sender = ({ headers }: HookRequest): string => String(headers['x-sender']);
const guard = (request: HookRequest, name: string): boolean =>
  name !== 'secret' || sender(request) !== 'guest';

let closing: Board[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const board of closing.splice(0)) await board.close();
});

/** The cases for an engine with the queues `mail` and `secret`; `path` is that of its listing. */
function suite(path: string, engine: (isGuarded: boolean) => EngineFactory | undefined): void {
  function serve(options: BoardOptions = {}, isGuarded = false) {
    const factory = engine(isGuarded);
    if (!factory) return undefined;
    const board = openBoard(factory, undefined, options, false);
    closing.push(board);
    return async (who: string) => {
      const headers = { 'x-sender': who, 'accept-encoding': 'identity' };
      const request = new Request(`http://board.local${path}`, { headers });
      const answer = await board.fetch(request);
      expect(answer.status).toBe(200);
      return { etag: answer.headers.get('etag'), text: await answer.text() };
    };
  }
  const named = (text: string) => (JSON.parse(text) as Listed).queues.map(({ name }) => name);

  it('is serialised once for twenty requests at once', async (context) => {
    const list = serve();
    if (!list) return context.skip();
    const stringify = vi.spyOn(JSON, 'stringify');
    const answers = await Promise.all(Array.from({ length: 20 }, () => list('anyone')));
    // Of all queues at once, or of each queue.
    const texts = stringify.mock.calls.filter(([value]) =>
      [Object(value), ...(Object(value).queues ?? [])].some(({ name }) => name === 'mail'),
    );
    expect(texts).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.etag)).size).toBe(1);
    expect(named(answers[0]?.text ?? '')).toEqual(['mail', 'secret']);
  });

  it('is never shared by senders with other permissions', async (context) => {
    const own: Readonly<Record<string, readonly Grant[]>> = {
      reader: ['queue.read'],
      // Sees the same queues as the reader.
      editor: ['queue.read', 'job.read'],
    };
    const list = serve({
      permissions: (request) => {
        if (sender(request) === 'admin') return ['*'];
        const secret = own[sender(request)] ?? [];
        return { allowed: ['*.read'], queues: { secret } };
      },
    });
    if (!list) return context.skip();
    const senders = ['admin', 'reader', 'editor', 'guest'];
    const asked = Array.from({ length: 12 }, (_, at) => senders[at % 4] ?? '');
    const answers = await Promise.all(asked.map((who) => list(who)));
    for (const [at, who] of asked.entries()) {
      const { queues, allowed = [] } = JSON.parse(answers[at]?.text ?? '') as Listed;
      expect(queues.map(({ name }) => name)).toEqual(
        who === 'guest' ? ['mail'] : ['mail', 'secret'],
      );
      expect([who, allowed.includes('job.remove')]).toEqual([who, who === 'admin']);
      const { allowed: actions } = queues.find(({ name }) => name === 'secret') ?? {};
      expect([who, actions?.toSorted()]).toEqual([who, own[who]?.toSorted()]);
    }
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(4);
  });

  it('is never shared by senders for whom the guard decides otherwise', async (context) => {
    const list = serve({}, true);
    if (!list) return context.skip();
    const asked = ['guest', 'member', 'guest', 'member'];
    const answers = await Promise.all(asked.map((who) => list(who)));
    expect(answers.map(({ text }) => named(text))).toEqual([
      ['mail'],
      ['mail', 'secret'],
      ['mail'],
      ['mail', 'secret'],
    ]);
  });

  it('is not shared where a hook changes it for its sender', async (context) => {
    const list = serve({
      handlerHooks: {
        after({ request }, { body }) {
          const { queues } = body as { queues: { name: string }[] };
          for (const queue of queues) queue.name += ` for ${sender(request)}`;
        },
      },
    });
    if (!list) return context.skip();
    const answers = await Promise.all(['a', 'b', 'a'].map((who) => list(who)));
    expect(answers.map(({ text }) => named(text)[0])).toEqual([
      'mail for a',
      'mail for b',
      'mail for a',
    ]);
  });
}

describe('on Redis', () => {
  let service: Service | undefined;
  let client: Redis;
  let queues: bullmq.Queue[] = [];

  beforeAll(async () => {
    const found = await findRedis();
    if ('missing' in found) return;
    service = found;
    client = new Redis(found.url, { maxRetriesPerRequest: null });
    queues = ['mail', 'secret'].map(
      (name) =>
        new bullmq.Queue(name, {
          connection: client as unknown as bullmq.ConnectionOptions,
          prefix: `shared${process.pid}`,
          skipMetasUpdate: true,
        }),
    );
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  });

  afterAll(async () => {
    if (!service) return;
    for (const queue of queues) await queue.obliterate({ force: true });
    await Promise.all(queues.map((queue) => queue.close()));
    client.disconnect();
    await service.dispose();
  });

  const engine = (isGuarded: boolean) => {
    if (!service) return undefined;
    const shown = queues.map((queue) =>
      bullmqQueue(queue, {
        ...(isGuarded && { visibilityGuard: (request) => guard(request, queue.name) }),
      }),
    );
    return kvqEngine({ queues: shown, snapshotMs });
  };
  suite('/api/queues', engine);

  it('serialises a queue again only where its facts have changed', async (context) => {
    if (!service) return context.skip();
    const shown = queues.map((queue) => bullmqQueue(queue));
    const board = openBoard(kvqEngine({ queues: shown, snapshotMs: 0 }), undefined, {}, false);
    closing.push(board);
    const list = async () => {
      const stringify = vi.spyOn(JSON, 'stringify');
      const answer = await board.fetch(new Request('http://board.local/api/queues'));
      const { queues: listed } = (await answer.json()) as {
        queues: { name: string; counts: object }[];
      };
      const names = stringify.mock.calls.flatMap(([value]) => Object(value)?.name ?? []);
      stringify.mockRestore();
      return { names, counts: listed.map(({ counts }) => counts) };
    };
    const before = await list();
    expect(before.names).toEqual(['mail', 'secret']);
    expect(await list()).toEqual({ ...before, names: [] });
    await queues[1]?.add('one', {});
    const after = await list();
    expect(after.names).toEqual(['secret']);
    expect(after.counts).toEqual([before.counts[0], { ...before.counts[1], waiting: 1 }]);
  });

  it('tells pages of the active queue apart', async (context) => {
    const factory = engine(false);
    if (!factory) return context.skip();
    const board = openBoard(factory, undefined, {}, false);
    closing.push(board);
    const ranges = await Promise.all(
      [1, 2, 1].map(async (page) => {
        const query = `activeQueue=mail&status=waiting&jobs=false&jobsPerPage=10&page=${page}`;
        const answer = await board.fetch(new Request(`http://board.local/api/queues?${query}`));
        const { queues: shown } = (await answer.json()) as { queues: bullmq.Queue[] };
        return (Object(shown[0]) as { pagination: { range: object } }).pagination.range;
      }),
    );
    expect(ranges).toEqual([
      { start: 0, end: 9 },
      { start: 10, end: 19 },
      { start: 0, end: 9 },
    ]);
  });
});

describe('on PostgreSQL', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'shared_listing');
    for (const name of ['mail', 'secret']) await world.boss.createQueue(name);
  });

  afterAll(async () => {
    await world?.close();
  });

  suite('/api/pgq/queues', (isGuarded) =>
    pgqEngine({
      connection: world.url,
      library: world.library.module,
      snapshotMs,
      ...(isGuarded && { visibilityGuard: guard }),
    }),
  );
});
