/** Networks as they are: answers that are late, lost or out of order, a proxy that keeps events back, a server that restarts. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

const isLive = (page: Page) => page.getByRole('button', { name: 'live', exact: true });
const asksItself = (page: Page) => page.getByRole('button', { name: /^every \d/ });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** A promise that a test keeps when it likes. */
function promised(): { readonly kept: Promise<void>; readonly keep: () => void } {
  let keep = (): void => undefined;
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}

/** A proxy before a board. */
interface Proxy {
  /** Address of the board behind it. */
  readonly url: string;
  /** Port of the board; where nothing listens, the proxy answers 502. */
  target: number;
  /** Paths that were answered so. */
  readonly refused: string[];
  close(): void;
}

/** @param keepsEvents whether the head of a stream of events is passed on, and the events are not */
async function startProxy(served: ServedBoard, keepsEvents = false): Promise<Proxy> {
  const refused: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url: path = '/', method, headers } = incoming;
    const target = { host: '127.0.0.1', port: proxy.target, path, method, headers, agent: false };
    const onward = request(target, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
      if (keepsEvents && isStream) outgoing.flushHeaders();
      // A stream that breaks off there breaks off here.
      else pipeline(answer, outgoing, () => undefined);
    });
    outgoing.on('close', () => onward.destroy());
    onward.on('error', () => {
      refused.push(path);
      outgoing.writeHead(502).end();
    });
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/board`,
    target: portOf(served),
    refused,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}

const portOf = ({ url }: ServedBoard): number => Number(new URL(url).port);

describeInBrowser('the dashboard on a network', (browser) => {
  let world: CellWorld;
  let queue: TestQueue;
  let board: ServedBoard;
  let round = 0;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
  });
  beforeEach(async () => {
    round += 1;
    queue = await world.queue(`letters-${round}`);
    await queue.add('write-ada', { to: 'ada' });
    board = await serveBoard([queue.boardQueue()]);
    return () => board.close();
  });
  afterAll(() => world?.close());

  const listPath = () => `/queue/${queue.name}?state=waiting`;

  it('keeps what a stream has told when the answer of an older read arrives', async () => {
    const { page, close } = await openPage(browser(), `${board.url}/?sort=name`);
    const waiting = row(page, queue.name).getByRole('img');
    await row(page, queue.name).getByRole('img', { name: 'waiting 1' }).waitFor();
    await isLive(page).waitFor();
    const [asked, told] = [promised(), promised()];
    const arrived = promised();
    await page.route('**/api/queues?*', async (route: Route) => {
      const response = await route.fetch();
      asked.keep();
      await told.kept;
      // The page may have given it up.
      await route.fulfill({ response }).catch(() => undefined);
      arrived.keep();
    });
    // Updates are paused, and begin again with a read.
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await asked.kept;
    await queue.add('write-bea', {});
    await row(page, queue.name).getByRole('img', { name: 'waiting 2' }).waitFor();
    told.keep();
    await arrived.kept;
    await page.evaluate(`(async () => {
      await (await fetch(location.href)).text();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    })()`);
    expect(await waiting.first().getAttribute('aria-label')).toBe('waiting 2');
    await close();
  });

  it('asks itself where a proxy keeps the events of a stream back', async () => {
    const proxy = await startProxy(board, true);
    const { page, close } = await openPage(browser(), 'about:blank');
    const streams = page.waitForResponse('**/api/live');
    await page.goto(`${proxy.url}${listPath()}`);
    await row(page, 'write-ada').waitFor();
    await streams;
    // Another stream of the page, which opens later than its own.
    await page.evaluate(`new Promise((resolve) => {
      new EventSource('/board/api/live').addEventListener('open', resolve);
    })`);
    expect(await isLive(page).count()).toBe(0);
    await asksItself(page).waitFor();
    await close();
    proxy.close();
  });

  it('streams again after its server was restarted behind a proxy', async () => {
    const first = await serveBoard([queue.boardQueue()]);
    const proxy = await startProxy(first);
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.clock.install();
    await page.goto(`${proxy.url}${listPath()}`);
    await isLive(page).waitFor();
    await first.close();
    await expect.poll(() => proxy.refused, { timeout: 30_000 }).toContain('/board/api/live');
    await isLive(page).waitFor({ state: 'detached' });
    const second = await serveBoard([queue.boardQueue()]);
    proxy.target = portOf(second);
    await page.clock.fastForward(10_000);
    await isLive(page).waitFor();
    await queue.add('write-bea', {});
    await row(page, 'write-bea').waitFor();
    await close();
    await second.close();
    proxy.close();
  });

  it('asks anew when a person wants it, where an answer is lost', async () => {
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.clock.install();
    await page.route('**/api/live', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${board.url}${listPath()}`);
    await row(page, 'write-ada').waitFor();
    const lost = promised();
    await page.route('**/api/queues/**', () => lost.keep());
    await page.clock.fastForward(6_000);
    await lost.kept;
    await page.clock.fastForward(15_000);
    await page.unroute('**/api/queues/**');
    await queue.add('write-bea', {});
    await page.getByRole('button', { name: /^stale \d/ }).click();
    await row(page, 'write-bea').waitFor();
    await asksItself(page).waitFor();
    await close();
  });

  it('opens a dialog and a screen that are asked for offline once the network is back', async () => {
    const { page, close } = await openPage(browser(), `${board.url}${listPath()}`);
    await row(page, 'write-ada').getByRole('link').click();
    const edit = page.getByRole('button', { name: 'Edit' });
    await edit.waitFor();
    await page.evaluate('window.kept = true');
    await page.context().setOffline(true);
    await edit.click();
    await page.getByText('The board cannot be reached.').first().waitFor();
    expect(await page.getByText('"ada"').isVisible()).toBe(true);
    await page.context().setOffline(false);
    const dialog = page.getByRole('dialog', { name: /^Edit/ });
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Schedules' }).click();
    await expect.poll(() => page.getByText('The board cannot be reached.').count()).toBe(2);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    expect(await page.evaluate('window.kept')).toBe(true);
    const unstyled = `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet).length`;
    expect(await page.evaluate(unstyled)).toBe(0);
    await close();
  });

  it.each([
    ['a proxy answers for a board that restarts', 502],
    ['the session has ended', 401],
  ])('follows a run while %s', async (_, status) => {
    await queue.addBulk(
      Array.from({ length: 30_000 }, () => ({
        name: 'later',
        data: {},
        opts: { delay: 9_000_000 },
      })),
    );
    const { page, close } = await openPage(
      browser(),
      `${board.url}/queue/${queue.name}?state=delayed`,
    );
    let refused = 0;
    await page.route('**/api/bulk/*', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      return route.fulfill({ status, contentType: 'text/html', body: '<h1>Not now</h1>' });
    });
    await page.getByRole('button', { name: /^Promote all/ }).click();
    await page.getByRole('button', { name: 'Promote 30,000 jobs' }).click();
    await page.getByText('requested 30,000 · promoted 30,000').waitFor();
    expect(refused).toBeGreaterThan(1);
    await close();
  });

  it('says that the session has ended where a proxy leads reads to its login page', async () => {
    const { page, close } = await openPage(browser(), `${board.url}${listPath()}`);
    await row(page, 'write-ada').waitFor();
    // The page of the board stands for that of the login: a document, with the status 200.
    const login = { status: 302, headers: { location: `${board.url}/` } };
    await page.route('**/api/queues/**', (route) => route.fulfill(login));
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    await close();
  });

  it('leads to a page of the board for the login of a proxy', async () => {
    const { page, close } = await openPage(browser(), `${board.url}${listPath()}`);
    await row(page, 'write-ada').waitFor();
    await page.route('**/api/**', (route) => route.fulfill({ status: 401 }));
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    const dialog = page.getByRole('dialog', { name: 'You are signed out' });
    const [login] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    await login.getByRole('heading', { level: 1 }).waitFor();
    expect(login.url()).toBe(`${board.url}/`);
    await page.unroute('**/api/**');
    await login.close();
    await close();
  });
});
