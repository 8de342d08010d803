/** `createBullBoard` beside that of bull-board, with the same configuration over the same queues. */

import { createBullBoard as bullBoard } from '@bull-board/api';
import { BullMQAdapter as TheirAdapter } from '@bull-board/api/bullMQAdapter';
import type { UIConfig } from '@bull-board/api/typings/app';
import { ExpressAdapter as TheirMount } from '@bull-board/express';
import Bull from 'bull';
import { Queue } from 'bullmq';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExpressAdapter } from '../../src/http/board/index.ts';
import { BullAdapter, BullMQAdapter, createBullBoard } from '../../src/migrate/bull-board/index.ts';
import { type OwnRedis, ownRedis } from '../board/kvq/own-redis.ts';
import { listen } from '../listening.ts';

let redis: OwnRedis | null;
let queues: readonly Queue[] = [];
beforeAll(async () => {
  redis = await ownRedis();
  if (!redis) return;
  await redis.start();
  const connection = { host: '127.0.0.1', port: redis.port };
  queues = ['mails', 'reports'].map((name) => new Queue(name, { connection }));
  await queues[0]?.add('welcome', { to: 'ada@example.org', secret: 'hidden' });
});
afterAll(async () => {
  for (const queue of queues) await queue.close();
  await redis?.stop();
});

const uiConfig = {
  boardTitle: 'Jobs',
  boardLogo: { path: '/logo.png', width: 20, height: 20 },
  miscLinks: [{ text: 'Home', url: '/' }],
  hideDocsLink: true,
  queueSortOptions: [{ key: 'alphabetical', label: 'By name' }],
  favIcon: { default: '/a.ico', alternative: '/b.ico' },
  locale: { lng: 'en' },
  dateFormats: { short: { hour: 'numeric' } },
  pollingInterval: { showSetting: true, forceInterval: 5 },
  menu: { width: '200px' },
  overview: { groupByDelimiter: true },
  jobDetails: { defaultTab: 'Logs' },
  sortQueues: true,
  hideRedisDetails: true,
  showMetrics: true,
  showWorkers: false,
  environment: { label: 'staging', color: '#fff', fontSize: 12 },
  theme: { light: { primary: '#123456' } },
} satisfies UIConfig;

/** Set by bull-board itself. */
type Own = 'hasHistoryProvider' | 'hasHistoryUsage' | 'canPurgeHistory' | 'hasLatencyHistory';
// A member that a later bull-board adds is an error of the compiler here.
const every: { readonly [Member in Exclude<keyof UIConfig, Own>]: unknown } = uiConfig;

interface Shown {
  readonly queues: readonly {
    readonly name: string;
    readonly readOnlyMode: boolean;
    readonly description?: string;
    readonly jobs: readonly { readonly name: string; readonly data: unknown }[];
  }[];
}

/** The queues that an API shows to a client, with the parts that both have. */
async function shown(app: express.Express, headers: Record<string, string> = {}): Promise<unknown> {
  const server = await listen(app);
  try {
    const url = `http://127.0.0.1:${server.port}/board/api/queues?activeQueue=mails&page=1&jobsPerPage=10`;
    const answer = (await (await fetch(url, { headers })).json()) as Shown;
    return answer.queues
      .map(({ name, readOnlyMode, description, jobs }) => ({
        name,
        readOnlyMode,
        description: description ?? '',
        jobs: jobs.map((job) => [job.name, job.data]),
      }))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  } finally {
    await server.close();
  }
}

describe('a board that is declared as for bull-board', () => {
  it('shows the same queues and jobs', async (context) => {
    if (!redis) return context.skip();
    const options = { uiConfig, handlerHooks: { before: () => undefined } };
    const set = (adapter: BullMQAdapter | TheirAdapter) => {
      adapter.setFormatter('data', (data: unknown) => ({
        to: (data as { readonly to: string }).to,
      }));
      adapter.setVisibilityGuard(({ headers }) => headers['x-team'] === 'mails');
    };
    const [mails, reports] = queues as readonly [Queue, Queue];
    const given = {
      readOnlyMode: true,
      description: 'Receipts',
      externalJobUrl: () => ({ href: '/' }),
    };

    const theirs = [new TheirAdapter(mails, given), new TheirAdapter(reports)];
    theirs.slice(0, 1).forEach(set);
    const theirMount = new TheirMount();
    theirMount.setBasePath('/board');
    bullBoard({
      queues: theirs,
      // The mount is typed by another copy of the package.
      serverAdapter: theirMount as unknown as Parameters<typeof bullBoard>[0]['serverAdapter'],
      options,
    });

    const ours = [new BullMQAdapter(mails, given), new BullMQAdapter(reports)];
    ours.slice(0, 1).forEach(set);
    const mount = new ExpressAdapter();
    mount.setBasePath('/board');
    const { board } = createBullBoard({ queues: ours, serverAdapter: mount, options });

    const bullApp = express().use('/board', theirMount.getRouter() as express.Router);
    const app = express().use('/board', mount.getRouter());
    for (const team of ['mails', 'others']) {
      const expected = await shown(bullApp, { 'x-team': team });
      expect(expected).toHaveLength(team === 'mails' ? 2 : 1);
      expect(await shown(app, { 'x-team': team })).toEqual(expected);
    }
    expect(Object.keys(every)).toHaveLength(18);
    await board.close();
  });

  it('adds, replaces and removes queues by the same methods', async (context) => {
    if (!redis) return context.skip();
    const [mails, reports] = queues.map((queue) => new BullMQAdapter(queue));
    if (!mails || !reports) throw new Error('There are two queues.');
    const mount = new ExpressAdapter();
    mount.setBasePath('/board');
    const { board, ...methods } = createBullBoard({ queues: [], serverAdapter: mount });
    const app = express().use('/board', mount.getRouter());
    const names = async () =>
      ((await shown(app)) as readonly { name: string }[]).map(({ name }) => name);
    methods.addQueue(mails);
    methods.setQueues([reports]);
    expect(await names()).toEqual(['mails', 'reports']);
    methods.removeQueue(mails);
    expect(await names()).toEqual(['reports']);
    methods.replaceQueues([mails]);
    expect(await names()).toEqual(['mails']);
    methods.removeQueue('mails');
    expect(await names()).toEqual([]);
    const old = new Bull('old', { redis: { host: '127.0.0.1', port: redis.port } });
    methods.addQueue(new BullAdapter(old));
    expect(await names()).toEqual(['old']);
    await old.close();
    expect(() => mails.setFormatter('data', () => null)).toThrow('must be called before');
    expect(() => mails.setVisibilityGuard(() => true)).toThrow('must be called before');
    await board.close();
  });

  it('has the colours of its theme, without those that the dashboard does not have', async () => {
    const mount = new ExpressAdapter();
    mount.setBasePath('/board');
    const light = { primary: '#123456', accent: 'red', radius: '4px', constructor: 'red' };
    const theme = { light, dark: { 'status-failed': 'pink', 'muted-foreground': 'gray' } };
    const { board } = createBullBoard({
      queues: [],
      serverAdapter: mount,
      options: { uiConfig: { theme } },
    });
    const server = await listen(express().use('/board', mount.getRouter()));
    const page = await (await fetch(`http://127.0.0.1:${server.port}/board/`)).text();
    expect(page).toContain(
      '"theme":{"light":{"accent":"#123456"},"dark":{"dim":"gray","failed":"pink"}}',
    );
    await server.close();
    await board.close();
  });

  it('is refused with a member that nobody knows', () => {
    const serverAdapter = new ExpressAdapter();
    const options = { uiConfig: { boardTitel: 'Jobs' } as object };
    for (const theme of [
      'dark',
      { ligth: { primary: 'red' } },
      { light: 'red' },
      { light: null },
      { light: ['red'] },
    ]) {
      const themed = { uiConfig: { theme } as object };
      expect(() => createBullBoard({ queues: [], serverAdapter, options: themed })).toThrow(
        /"ui\.theme/,
      );
    }
    expect(() => createBullBoard({ queues: [], serverAdapter, options })).toThrow('boardTitel');
    const misspelt = { queues: [], serverAdapter, option: {} } as object;
    expect(() => createBullBoard(misspelt as Parameters<typeof createBullBoard>[0])).toThrow(
      '"option"',
    );
  });
});
