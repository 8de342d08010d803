/** The history in the dashboard: charts with one cursor, tables, time in the URL, usage and deletion. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MetricsRecorder, metricsHistoryProvider } from '../../src/metrics/index.ts';
import type { CellWorld } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { redisWorld } from '../metrics/worlds.ts';
import type { StoreWorld } from '../metrics/worlds.ts';
import { makePast } from './screens/past.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const [cell] = cells;

describeInBrowser('the metrics of the dashboard', (browser) => {
  let world: CellWorld;
  let history: StoreWorld;
  let recorder: MetricsRecorder;
  let board: ServedBoard;
  let open: OpenPage;
  beforeAll(async () => {
    const [opened, store] = [await cell?.open(), await redisWorld()];
    if (!opened || 'missing' in opened || !store) throw new Error('There is no Redis.');
    [world, history] = [opened, store];
    const mail = await world.queue('mail');
    await makePast(history, 'mail');
    recorder = new MetricsRecorder({
      store: history.store,
      queues: [mail.boardQueue()],
      snapshotIntervalMs: 200,
      latencySafetyMarginMs: 0,
    }).start();
    // A job that waits gives the queue an age.
    await mail.add('receipt', {});
    const historyProvider = metricsHistoryProvider(history.store);
    board = await serveBoard([mail.boardQueue()], { historyProvider });
    const to = Date.now();
    const age = `/api/metrics/history?metric=queueage&granularity=hour&from=${to - hourMs}&to=${to + hourMs}`;
    await vi.waitUntil(async () => (await board.get(age)).body.queueage.length > 0, {
      timeout: 60_000,
      interval: 50,
    });
    open = await openPage(browser(), `${board.url}/`);
  });
  afterAll(async () => {
    await open?.close();
    await recorder?.stop();
    await board?.close();
    await history?.close();
    await world?.close();
  });

  const charts = () => open.page.locator('.uplot');
  const chosen = () => new URL(open.page.url()).searchParams;

  it('shows the history from a link in the header, with tables behind the charts', async () => {
    const { page, complaints } = open;
    await page.getByRole('link', { name: 'Metrics' }).click();
    await expect.poll(() => charts().count()).toBe(4);
    await page.getByRole('combobox', { name: 'Queue' }).selectOption({ label: 'mail' });
    await expect.poll(() => chosen().get('queue')).toBe('mail');
    const run = page.getByRole('region', { name: 'Run time' });
    await run.getByText('p99').waitFor();
    const finished = page.getByRole('region', { name: 'Finished per hour', exact: true });
    await finished.getByText('Show as a table').click();
    await finished.getByRole('columnheader', { name: 'failed' }).waitFor();
    expect(await finished.locator('tbody tr').count()).toBeGreaterThanOrEqual(24);
    await page.getByRole('button', { name: '30d' }).click();
    await page.getByRole('region', { name: 'Finished per day', exact: true }).waitFor();
    expect(chosen().get('range')).toBe('30d');
    expect(complaints).toEqual([]);
  });

  it('moves one cursor over all charts, and zooms into the URL by dragging', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?queue=mail&range=24h`);
    await expect.poll(() => charts().count()).toBe(4);
    const over = page.locator('.u-over').first();
    const box = await over.boundingBox();
    if (!box) throw new Error('The chart has no place.');
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.4, middle);
    // Every chart tells the same hour.
    const told = () =>
      page
        .locator('section > header')
        .evaluateAll((heads) =>
          heads.slice(0, 4).map((head) => head.lastElementChild?.textContent),
        );
    await expect.poll(async () => new Set(await told()).size).toBe(1);
    expect((await told())[0]).toMatch(/\d\d:00$/);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, middle, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => chosen().has('from')).toBe(true);
    const length = Number(chosen().get('to')) - Number(chosen().get('from'));
    expect(length / hourMs).toBeGreaterThan(6);
    expect(length / hourMs).toBeLessThan(9);
    // A copied link shows the same; Back undoes.
    await page.reload();
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await expect
      .poll(() => Number(chosen().get('to')) - Number(chosen().get('from')))
      .toBeLessThan(length);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => chosen().get('range')).toBe('24h');
    expect(complaints).toEqual([]);
  });

  it('marks the hour that is not over', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?queue=mail&range=24h`);
    await expect.poll(() => charts().count()).toBe(4);
    const finished = page.getByRole('region', { name: 'Finished per hour', exact: true });
    const over = finished.locator('.u-over');
    /** How opaque the chart is, just above zero, between two hours that ended so many before the present one. */
    const areaAt = (hoursBack: number): Promise<number> =>
      over.evaluate((element, back) => {
        const hour = 3_600_000;
        const canvas = element.closest('.uplot')?.querySelector('canvas');
        const [inner, outer] = [element, canvas].map((each) => each?.getBoundingClientRect());
        if (!canvas || !inner || !outer) throw new Error('The chart has no place.');
        const to = Math.floor(Date.now() / 60_000) * 60_000;
        const first = Math.floor((to - 24 * hour) / hour) * hour;
        const time = Math.floor(Date.now() / hour) * hour - (back + 0.5) * hour;
        const x = inner.left - outer.left + (inner.width * (time - first)) / (to - first);
        const y = inner.bottom - outer.top - 6;
        const scale = canvas.width / outer.width;
        // A copy of one pixel: a browser complains of charts that are read.
        const copy = canvas.ownerDocument.createElement('canvas');
        const pixel = copy.getContext('2d', { willReadFrequently: true });
        pixel?.drawImage(canvas, Math.round(x * scale), Math.round(y * scale), 1, 1, 0, 0, 1, 1);
        const { data } = pixel?.getImageData(0, 0, 1, 1) ?? { data: [] };
        return data[3] ?? 0;
      }, hoursBack);
    await expect.poll(() => areaAt(3)).toBeGreaterThan(0);
    expect(await areaAt(1)).toBeGreaterThan(0);
    expect(await areaAt(0)).toBe(0);
    const box = await over.boundingBox();
    if (!box) throw new Error('The chart has no place.');
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
    const told = finished.locator('header').locator('span').last();
    await expect.poll(() => told.textContent()).toMatch(/\d\d:00, so far$/);
    await finished.getByText('Show as a table').click();
    const rows = finished.locator('tbody button');
    expect(await rows.nth(0).textContent()).toMatch(/, so far$/);
    expect(await rows.nth(1).textContent()).toMatch(/\d\d:00$/);
    expect(complaints).toEqual([]);
  });

  it('compares with the period before', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?queue=mail&range=24h`);
    await expect.poll(() => charts().count()).toBe(4);
    const asked: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/metrics/history')) asked.push(searchParams);
    });
    await page.getByRole('button', { name: 'Compare with the period before' }).click();
    const finished = page.getByRole('region', { name: 'Finished per hour', exact: true });
    await finished.getByText('completed before').waitFor();
    await page.getByRole('region', { name: 'Run time' }).getByText('p95 before').waitFor();
    expect(chosen().get('compare')).toBe('yes');
    // The day before ends where the last one begins.
    const day = 24 * hourMs;
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map((each) => each.get('queue')))).toEqual(new Set(['mail']));
    const earlier = asked.filter((each) => Number(each.get('to')) < Date.now() - day / 2);
    expect(earlier.length).toBeGreaterThan(0);
    for (const each of earlier) {
      expect(Date.now() - Number(each.get('to'))).toBeGreaterThanOrEqual(day - hourMs);
    }
    await finished.getByText('Show as a table').click();
    await finished.getByRole('columnheader', { name: 'failed before' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('leads from a point of a chart to the jobs of that time', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?queue=mail&range=24h`);
    await expect.poll(() => charts().count()).toBe(4);
    const over = page.locator('.u-over').first();
    await over.click({ position: { x: 200, y: 60 } });
    await page.getByRole('region', { name: /^Jobs added from/ }).waitFor();
    const [from, to] = (chosen().get('at') ?? '').split('-').map(Number);
    expect((to ?? 0) - (from ?? 0) + 1).toBe(hourMs);
    await page.getByText('No job of this time is stored.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => chosen().has('at')).toBe(false);
    // Without a pointer, from the table; a link shows the same jobs.
    const finished = page.getByRole('region', { name: 'Finished per hour', exact: true });
    await finished.getByText('Show as a table').click();
    await finished.locator('tbody button').first().press('Enter');
    await expect.poll(() => chosen().has('at')).toBe(true);
    const { jobs } = (await board.get('/api/queues/mail/jobs?status=waiting')).body;
    const { id, timestamp } = jobs[0] as { id: string; timestamp: number };
    await page.goto(
      `${board.url}/metrics-history?queue=mail&at=${timestamp - minuteMs}-${timestamp + minuteMs}`,
    );
    const moment = page.getByRole('region', { name: /^Jobs added from/ }).first();
    await moment.getByRole('link', { name: `receipt ${id}` }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/board/queue/mail/${id}`);
    expect(complaints).toEqual([]);
  });

  it.each([
    { look: 'light', width: 1_280 },
    { look: 'dark', width: 1_280 },
    { look: 'light', width: 390 },
  ] as const)('has no violation that axe finds ($look, $width)', async ({ look, width }) => {
    const { page, complaints, close } = await openPage(
      browser(),
      `${board.url}/metrics-history?queue=mail`,
      { colorScheme: look, viewport: { width, height: 900 }, reducedMotion: 'reduce' },
    );
    await expect.poll(() => page.locator('.uplot').count()).toBe(4);
    await page.getByText('Recorded from').waitFor();
    await page.getByText('Show as a table').first().click();
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
    const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      'axe.run(document).then(({ violations }) => violations)',
    );
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  it('says why there is nothing, and when the board does not answer', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?from=1000&to=400000`);
    await page.getByText('No job finished in this time.').waitFor();
    let isAway = true;
    let refused = 0;
    await page.route('**/api/metrics/latency*', (route) => {
      if (!isAway) return route.continue();
      refused += 1;
      return route.fulfill({ status: 503, json: { error: { key: 'ERRORS.KV_UNAVAILABLE' } } });
    });
    await page.goto(`${board.url}/metrics-history?range=7d`);
    const run = page.getByRole('region', { name: 'Run time' });
    await run.getByText('The datastore cannot be reached').waitFor();
    const again = run.getByRole('button', { name: 'Try again' });
    const before = refused;
    await again.click();
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(before);
    await again.waitFor();
    isAway = false;
    // The page may have read again by itself.
    await run.getByText('p99').or(again).first().waitFor();
    if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
    await run.getByText('p99').waitFor();
    await page.unroute('**/api/metrics/latency*');
    // The browser itself notes the refusals.
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([]);
    complaints.length = 0;
  });

  it('deletes the history of a queue after its name was typed', async () => {
    const { page, complaints } = open;
    await recorder.stop();
    await makePast(history, 'sms');
    await page.goto(`${board.url}/metrics-history?queue=mail`);
    await page.getByText('Recorded from').waitFor();
    await page.getByRole('button', { name: 'Delete history…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the history of mail?' });
    const button = dialog.getByRole('button', { name: 'Delete history' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type mail to go on').fill('mail');
    await button.click();
    await page.getByText('Nothing is recorded.').waitFor();
    const kept = (await history.store.usage()).queues.map(({ queue }) => queue);
    expect(kept).not.toContain('mail');
    expect(kept).toContain('sms');
    expect(complaints).toEqual([]);
  });

  it('is not offered by a board without a history', async () => {
    const bare = await serveBoard([]);
    const { page, complaints, close } = await openPage(browser(), `${bare.url}/metrics-history`);
    await page.getByText('This board has no history.').waitFor();
    expect(await page.getByRole('link', { name: 'Metrics' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
    await bare.close();
  });
});
