/**
 * An operator's tasks in an incident, counted in steps: a click, a key, or a typed text with Enter. The script knows the
 * names that are seen and nothing else. The documentation tells the same numbers.
 */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsHistoryProvider } from '../../src/metrics/index.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { until } from '../board/kvq/suite.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { redisWorld } from '../metrics/worlds.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import { Operator } from './operator.ts';
import { makePast } from './screens/past.ts';

const hourMs = 3_600_000;
const refusal = 'The gateway does not answer';

/** A board in an incident: a queue with failures of now and of yesterday, and one whose worker is busy. */
interface Incident {
  readonly url: string;
  /** Ids of jobs: failed now and before, the job of a customer, and the one that runs. */
  readonly ids: Readonly<Record<'fresh' | 'old' | 'customer' | 'running', string>>;
  stateOf(id: string): Promise<string | undefined>;
  /** Whether all queues are paused; absent for an engine without pauses. */
  paused?(): Promise<boolean>;
  close(): Promise<void>;
}

type World = NonNullable<Awaited<ReturnType<typeof redisWorld>>>;

async function ofBullMq({ store }: World): Promise<Incident> {
  const world = await cells[0]?.open();
  if (!world || 'missing' in world) throw new Error('There is no cell.');
  const [mail, imports] = [await world.queue('mail'), await world.queue('imports')];
  const old = await mail.add('letter', {});
  const fresh = await mail.add('letter', {});
  const stop = await mail.work(async ({ id }) => {
    throw new Error(id === old ? 'The ink ran out' : refusal);
  });
  await until(async () => (await mail.counts())['failed'] === 2);
  await stop();
  const yesterday = Date.now() - 24 * hourMs;
  await mail.redis?.client.hset(mail.redis.key(old), 'finishedOn', yesterday);
  await mail.redis?.client.zadd(mail.redis.key('failed'), yesterday, old);
  const customer = await mail.add('letter', { customer: { id: 42 } });
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const running = await imports.add('import', {});
  const stopImports = await imports.work(() => finished);
  await until(async () => (await imports.counts())['active'] === 1);
  const queues = [mail.boardQueue(), imports.boardQueue()];
  const board = await serveBoard(queues, { historyProvider: metricsHistoryProvider(store) });
  return {
    url: board.url,
    ids: { fresh, old, customer, running },
    stateOf: (id) => mail.state(id),
    async paused() {
      const { queues: listed } = (await board.get('/api/queues')).body;
      return listed.every(({ isPaused }: { readonly isPaused: boolean }) => isPaused);
    },
    async close() {
      finish();
      await stopImports();
      await board.close();
      await world.close();
    },
  };
}

async function ofPgBoss({ store }: World): Promise<Incident> {
  const world = await makeWorld(newestLibrary, 'tasks');
  const { boss, admin } = world;
  for (const name of ['mail', 'imports']) await boss.createQueue(name, { retryLimit: 0 });
  const failed = async (message: string): Promise<string> => {
    const id = (await boss.send('mail', {})) ?? '';
    await boss.fetch('mail');
    await boss.fail('mail', id, { message });
    return id;
  };
  const old = await failed('The ink ran out');
  await admin.query(`update pgboss.job set completed_on = now() - interval '1 day' where id = $1`, [
    old,
  ]);
  const fresh = await failed(refusal);
  const customer = (await boss.send('mail', { customer: { id: 42 } })) ?? '';
  const running = (await boss.send('imports', {})) ?? '';
  await boss.fetch('imports');
  const board = await world.board({}, { historyProvider: metricsHistoryProvider(store) });
  return {
    url: `${board.origin}/`.replace(/\/$/, ''),
    ids: { fresh, old, customer, running },
    async stateOf(id) {
      const { rows } = await admin.query<{ state: string }>(
        'select state from pgboss.job where id = $1',
        [id],
      );
      return rows[0]?.state;
    },
    async close() {
      await board.close();
      await world.close();
    },
  };
}

interface Task {
  /** As the documentation names it. */
  readonly name: string;
  readonly most: number;
  /** The address to begin at; the overview without it. */
  readonly at?: string;
  readonly needs?: 'paused';
  readonly do: (operator: Operator, incident: Incident) => Promise<void>;
}

const tasks: readonly Task[] = [
  {
    name: 'why jobs have failed in the last hour',
    most: 2,
    async do(operator) {
      await operator.click('link', 'Errors');
      await operator.click('button', '1h');
      await operator.page.getByText('1 failed jobs read.').waitFor();
      await operator.page.getByRole('link', { name: refusal }).waitFor();
      expect(await operator.page.getByRole('link', { name: 'The ink ran out' }).count()).toBe(0);
    },
  },
  {
    name: 'the job of customer 42',
    most: 2,
    async do(operator, { ids }) {
      await operator.press('/');
      await operator.page.getByRole('combobox', { name: 'Find or do' }).waitFor();
      await operator.type('data.customer.id = 42');
      await operator.page.waitForURL(`**/queue/mail/${ids.customer}`);
    },
  },
  {
    name: 'the jobs that workers run now',
    most: 1,
    async do(operator, { ids }) {
      await operator.click('link', 'Workers');
      const jobs = operator.page.getByRole('table', { name: 'Running now' });
      await jobs.getByRole('row').filter({ hasText: ids.running }).waitFor();
    },
  },
  {
    name: 'this week beside the last',
    most: 2,
    async do(operator) {
      await operator.click('link', 'Metrics');
      await operator.click('button', 'This week beside the last');
      const { page } = operator;
      await page.getByRole('button', { name: '7d', pressed: true }).waitFor();
      await page.getByRole('button', { name: /^Compare with/, pressed: true }).waitFor();
    },
  },
  {
    name: 'a link to the present view',
    most: 1,
    at: '/queue/mail?state=failed',
    async do(operator) {
      await operator.page.getByRole('row').nth(2).waitFor();
      await operator.press('Shift+Y');
      const copied = () => operator.page.evaluate<string>('navigator.clipboard.readText()');
      await expect.poll(copied).toBe(operator.page.url());
    },
  },
  {
    name: 'retry the failures of one error since an hour ago',
    most: 4,
    async do(operator, { ids, stateOf }) {
      await operator.click('link', 'Errors');
      await operator.click('button', '1h');
      await operator.click('button', 'Retry in mail (1)');
      await operator.click('button', 'Retry the job');
      await expect.poll(() => stateOf(ids.fresh)).not.toBe('failed');
      expect(await stateOf(ids.old)).toBe('failed');
    },
  },
  {
    name: 'pause every queue',
    most: 3,
    needs: 'paused',
    async do(operator, { paused }) {
      await operator.click('button', 'Actions of the queues shown');
      await operator.click('menuitem', 'Pause 2 queues');
      await operator.click('button', 'Pause 2 queues');
      await expect.poll(async () => paused?.()).toBe(true);
    },
  },
];

describeInBrowser("an operator's tasks", (browser) => {
  let history: World;
  beforeAll(async () => {
    const opened = await redisWorld();
    if (!opened) throw new Error('There is no Redis.');
    history = opened;
    await makePast(history, 'mail');
  });
  afterAll(() => history?.close());

  it('are in the documentation with their steps', async () => {
    const text = await readFile(new URL('../../docs/dashboard.md', import.meta.url), 'utf8');
    for (const { name, most } of tasks) expect(text).toContain(`| ${name} | ${most} |`);
  });

  describe.each([
    { engine: 'BullMQ', begin: ofBullMq },
    { engine: 'pg-boss', begin: ofPgBoss },
  ])('over $engine', ({ engine, begin }) => {
    let incident: Incident;
    beforeAll(async () => {
      incident = await begin(history);
    });
    afterAll(() => incident?.close());

    it('opens what was typed, however soon Enter follows', async () => {
      const { page, close } = await openPage(browser(), `${incident.url}/`);
      await page.getByRole('row', { name: 'imports' }).waitFor();
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Find or do' }).waitFor();
      // In one turn, so that the page shows no results in between.
      await page.evaluate(`(() => {
        const input = document.activeElement;
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        set.call(input, 'data.customer.id = 42');
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      })()`);
      await page.waitForURL(`**/queue/mail/${incident.ids.customer}`);
      await close();
    });

    const here = tasks.filter(({ needs }) => needs === undefined || engine === 'BullMQ');
    it.each(here)('$name: $most', async (task) => {
      const { page, close } = await openPage(browser(), `${incident.url}${task.at ?? '/'}`, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const operator = new Operator(page);
      await task.do(operator, incident);
      expect(operator.steps).toBeLessThanOrEqual(task.most);
      await close();
    });
  });
});
