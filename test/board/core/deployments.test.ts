/** The deployments that a host tells: their range, their order and number, who may see them, and answers that are none. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const [application] = applications;

describe('deployments', () => {
  const open: Served[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((served) => served.close()));
  });

  /** The answers to a query, of a board with these options. */
  async function asking(options: BoardOptions) {
    const served = await serveBoard(application, memoryEngine().factory, { options });
    open.push(served);
    return {
      log: served.log,
      ask: async (query: string) => {
        const { status, body } = await send(served.port, `/admin/queues/api/deployments?${query}`);
        return { status, body: JSON.parse(body) as unknown };
      },
    };
  }

  it('are those of the range, the earliest first, a hundred at most', async () => {
    const asked: unknown[] = [];
    const { ask } = await asking({
      validateResponses: true,
      deployments: async (from, to) => {
        asked.push([from, to]);
        return Array.from({ length: 150 }, (_, at) => ({ at: 150 - at, release: `v${150 - at}` }));
      },
    });
    const few = { deployments: [3, 4, 5].map((at) => ({ at, release: `v${at}` })) };
    expect(await ask('from=3&to=5')).toEqual({ status: 200, body: few });
    const many = Array.from({ length: 100 }, (_, at) => ({ at: at + 51, release: `v${at + 51}` }));
    expect(await ask('from=0&to=1000')).toEqual({ status: 200, body: { deployments: many } });
    expect(asked).toEqual([
      [3, 5],
      [0, 1_000],
    ]);
    for (const query of ['', 'from=1', 'from=2&to=1', 'from=x&to=1', 'from=1&to=2&queue=mail']) {
      expect((await ask(query)).status).toBe(400);
    }
    expect(asked).toHaveLength(2);
  });

  it('are not mounted without the option, and are for those who may read the history', async () => {
    expect((await (await asking({})).ask('from=1&to=2')).status).toBe(404);
    const { ask } = await asking({
      deployments: () => [{ at: 1, release: 'v1' }],
      permissions: () => ['job.read'],
    });
    expect((await ask('from=1&to=2')).status).toBe(403);
  });

  it('are waited for ten seconds', async () => {
    let begun = (): void => undefined;
    const asked = new Promise<void>((resolve) => (begun = resolve));
    const { ask } = await asking({
      deployments: () => {
        begun();
        return new Promise(() => undefined);
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer = ask('from=1&to=2');
      await asked;
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await answer).status).toBe(503);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['no list', () => 'v1'],
    ['a moment as text', () => [{ at: '1', release: 'v1' }]],
    ['an empty name', () => [{ at: 1, release: '' }]],
    ['a long name', () => [{ at: 1, release: 'v'.repeat(201) }]],
    [
      'an error',
      () => {
        throw new Error('secret');
      },
    ],
  ])('that are %s are an internal error, and logged', async (_, deployments) => {
    const { ask, log } = await asking({
      deployments: deployments as unknown as BoardOptions['deployments'],
    });
    const { status, body } = await ask('from=1&to=2');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(log.lines).toHaveLength(1);
  });
});
