/**
 * `npm run screenshots`: starts the demo, waits until its queues have some history, and writes the pictures of the
 * dashboard to `docs/images`. Flags: `--origin` for a demo that runs already, `--out` for another folder, `--all` for
 * every screen in both schemes and on a phone.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { prepare, picturedPage, withDemo } from './demo-pages.ts';
import { savePicture } from './picture.ts';

const { values } = parseArgs({
  options: {
    origin: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../docs/images', import.meta.url)) },
    all: { type: 'boolean', default: false },
  },
});

/** A picture: its name, the path of its screen, and how it is brought about. */
interface Shot {
  readonly name: string;
  readonly path: string;
  /** Text or selector to wait for. */
  readonly ready: string;
  readonly options?: BrowserContextOptions;
  readonly after?: (page: Page) => Promise<unknown>;
}

const row = 'tbody tr >> nth=1';
const dark: BrowserContextOptions = { colorScheme: 'dark' };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

/** Opens the newest failed job of the list. */
const openFirst = async (page: Page) => {
  await page.locator('tbody tr').getByRole('link').first().click();
  await page.getByRole('region', { name: 'Error' }).waitFor();
};

/** Opens the flow of the first job of the list. */
const openFlow = async (page: Page) => {
  await page.locator('tbody tr').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Flow', exact: true }).click();
  await page.locator('main svg').nth(3).waitFor();
};

/** Pictures of the documentation. */
const documented: readonly Shot[] = [
  { name: 'dashboard-overview', path: '/bullmq/', ready: row },
  {
    name: 'dashboard-queue',
    path: '/bullmq/queue/images?state=failed',
    ready: row,
    options: dark,
    after: async (page) => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    },
  },
  {
    name: 'dashboard-job',
    path: '/bullmq/queue/orders.payments?state=failed',
    ready: row,
    after: openFirst,
  },
  {
    name: 'dashboard-flow',
    path: '/bullmq/queue/orders?state=completed',
    ready: row,
    options: dark,
    after: openFlow,
  },
  { name: 'dashboard-schedules', path: '/bullmq/job-schedulers', ready: row },
  {
    name: 'dashboard-metrics',
    path: '/bullmq/metrics-history?range=24h',
    ready: '.uplot >> nth=3',
    options: dark,
  },
];

/** The other screens, to be looked at. */
const others: readonly Shot[] = [
  { name: 'latest', path: '/bullmq/queue/orders', ready: row },
  { name: 'pgq-queue', path: '/pg-boss/queue/orders', ready: row },
  {
    name: 'pgq-job',
    path: '/pg-boss/queue/orders?state=completed',
    ready: row,
    after: async (page) => {
      await page.locator('tbody tr').getByRole('link').first().click();
      await page.locator('main h1 .mono').waitFor();
    },
  },
  { name: 'workers', path: '/bullmq/queue/orders?tab=workers', ready: 'main table' },
  { name: 'settings', path: '/bullmq/queue/orders?tab=settings', ready: 'main section' },
  { name: 'read-only', path: '/bullmq/queue/imports', ready: 'main h1' },
  {
    name: 'palette',
    path: '/bullmq/',
    ready: row,
    after: (page) => page.keyboard.press('Control+k'),
  },
  { name: 'help', path: '/bullmq/', ready: row, after: (page) => page.keyboard.press('?') },
  {
    name: 'add',
    path: '/bullmq/queue/orders',
    ready: row,
    after: (page) => page.getByRole('button', { name: 'Add job' }).click(),
  },
  { name: 'all-workers', path: '/bullmq/workers', ready: 'main table' },
  { name: 'warnings', path: '/bullmq/warnings', ready: 'main h1' },
  {
    name: 'arabic-queue',
    path: '/bullmq/queue/images?state=failed',
    ready: 'main h1',
    options: { locale: 'ar' },
  },
  {
    name: 'arabic-schedules',
    path: '/bullmq/job-schedulers',
    ready: row,
    options: { locale: 'ar' },
  },
  { name: 'start', path: '/', ready: 'main table' },
  { name: 'missing', path: '/bullmq/queue/none', ready: 'main h1' },
  {
    name: 'zoomed',
    path: '/bullmq/',
    ready: row,
    options: { viewport: { width: 320, height: 256 } },
  },
  {
    name: 'zoomed-job',
    path: '/bullmq/queue/orders.payments?state=failed',
    ready: row,
    options: { viewport: { width: 320, height: 256 } },
    after: openFirst,
  },
  { name: 'high-contrast', path: '/bullmq/', ready: row, options: { forcedColors: 'active' } },
  { name: 'more-contrast', path: '/bullmq/', ready: row, options: { contrast: 'more' } },
  { name: 'arabic', path: '/bullmq/', ready: row, options: { locale: 'ar' } },
];

const shots: readonly Shot[] = values.all
  ? [
      ...documented.flatMap((shot) => [
        { ...shot, name: `${shot.name}-light`, options: {} },
        { ...shot, name: `${shot.name}-dark`, options: dark },
        { ...shot, name: `${shot.name}-phone`, options: phone },
      ]),
      ...others,
    ]
  : documented;

await mkdir(values.out, { recursive: true });
await withDemo(values.origin, async (browser, origin) => {
  for (const { name, path, ready, options, after } of shots) {
    const page = await picturedPage(browser, options);
    try {
      await page.goto(origin + path);
      await page.locator(ready).first().waitFor();
      await after?.(page);
      await page.evaluate('document.fonts.ready');
      await prepare(page);
      // The pointer marks no row, and charts have drawn themselves.
      await page.mouse.move(0, 0);
      await pause(500);
      await savePicture(page, join(values.out, `${name}.webp`));
      console.log(name);
    } catch (error) {
      console.log(`${name}: ${String(error).split('\n')[0]}`);
      process.exitCode = 1;
    } finally {
      await page.context().close();
    }
  }
});
