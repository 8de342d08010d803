/** No violation that axe finds, on each screen in both themes, and on a phone. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { axeViolations } from './axe.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;
const desktop = { width: 1_280, height: 900 };
const phone = { width: 390, height: 844 };

describeInBrowser('axe', (browser) => {
  let queues: FailingQueues;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
  });
  afterAll(() => queues?.close());

  const screens: readonly [
    string,
    (failed: string) => string,
    (open: OpenPage) => Promise<void>,
  ][] = [
    ['overview', () => '/', ({ page }) => page.locator('tbody tr').nth(1).waitFor()],
    [
      'queue',
      () => '/queue/mail?state=failed',
      ({ page }) => page.locator('tbody tr').nth(1).waitFor(),
    ],
    [
      'selection',
      () => '/queue/mail?state=failed',
      async ({ page }) => {
        await page.getByRole('checkbox').nth(1).check();
        await page.getByRole('region', { name: 'Selected jobs' }).waitFor();
      },
    ],
    [
      'workers',
      () => '/queue/mail?tab=workers',
      ({ page }) => page.getByText('No worker is').waitFor(),
    ],
    [
      'settings',
      () => '/queue/mail?tab=settings',
      ({ page }) => page.getByLabel('Jobs at once').waitFor(),
    ],
    [
      'job',
      (id) => `/queue/mail/${id}`,
      ({ page }) => page.getByRole('region', { name: 'Error' }).waitFor(),
    ],
    [
      'palette',
      () => '/',
      async ({ page }) => {
        await page.locator('tbody tr').nth(1).waitFor();
        await page.keyboard.press('/');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
      },
    ],
    [
      'help',
      () => '/',
      async ({ page }) => {
        await page.locator('tbody tr').nth(1).waitFor();
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      },
    ],
    [
      'add',
      () => '/queue/mail',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Add job' }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
  ];
  const looks = [
    { look: 'light', colorScheme: 'light', viewport: desktop },
    { look: 'dark', colorScheme: 'dark', viewport: desktop },
    { look: 'phone', colorScheme: 'light', viewport: phone },
  ] as const;

  /** Screens whose colours and layout differ in a dark theme or on a phone. */
  const main = new Set(['overview', 'queue', 'job']);
  it.each(
    screens.flatMap(([screen, path, ready]) =>
      looks
        .filter(({ look }) => look === 'light' || main.has(screen))
        .map(({ look, ...options }) => ({ screen, look, path, ready, options })),
    ),
  )('finds nothing on $screen ($look)', async ({ path, ready, options }) => {
    const open = await openPage(browser(), `${queues.board.url}${path(queues.failed[0] ?? '')}`, {
      ...options,
      reducedMotion: 'reduce',
    });
    await ready(open);
    expect(await axeViolations(open.page)).toEqual([]);
    expect(open.complaints).toEqual([]);
    // Nothing is reached by scrolling sideways alone.
    expect(await open.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
      true,
    );
    await open.close();
  });
});
