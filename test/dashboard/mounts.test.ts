/** The dashboard mounted in the frameworks of a host, below a path and behind a proxy that strips it, with a login. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { hosts } from '../http/mounts/hosts.ts';
import { nestHosts } from '../http/mounts/nestjs-hosts.ts';
import { basePath, mountBoard, signIn } from './mounted-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

/** `test/newcomer` has Next.js itself. */
const mounted = ['Express 5', 'Fastify 5', 'NestJS 11 on Fastify', 'handlers of Next.js'];
const jobs = 2 * mounted.length;
const [cell] = cells;

describeInBrowser('the dashboard', (browser) => {
  let world: CellWorld;
  let mail: TestQueue;
  /** Undoes a test, last step first. */
  const undo: (() => unknown)[] = [];
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no Redis.');
    world = opened;
    mail = await world.queue('mail');
    for (let index = 0; index < jobs; index += 1) await mail.add('letter', { index });
    const stop = await mail.work(() => Promise.reject(new Error('The ink ran out.')));
    const failed = async () => expect((await mail.counts())['failed']).toBe(jobs);
    await vi.waitFor(failed, { timeout: 60_000, interval: 50 });
    await stop();
  });
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });
  afterAll(() => world?.close());

  describe.each([...hosts, ...nestHosts].filter(({ name }) => mounted.includes(name)))(
    'mounted in $name',
    (host) => {
      it.each([
        ['below a path', false],
        ['behind a proxy that strips the path', true],
      ])('%s signs in, leads to a failed job and retries it', async (_, strips) => {
        const board = await mountBoard(host, [mail.boardQueue()], { strips });
        undo.push(() => board.close());
        const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`);
        undo.push(close);
        // The login leads on to where the link led.
        await signIn(page);
        await page.getByRole('heading', { level: 1, name: 'mail' }).waitFor();
        await page.getByText('ada', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Overview', exact: true }).click();
        await page.getByRole('cell').getByRole('link').click();
        await page.locator('tbody tr').getByRole('link').first().click();
        const retry = page.getByRole('button', { name: 'Retry', exact: true });
        await retry.waitFor();
        const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
        expect(new URL(page.url()).pathname).toBe(`${basePath}/queue/mail/${id}`);
        expect(await mail.state(id)).toBe('failed');
        // A deep link is served as well.
        await page.reload();
        await page.getByRole('region', { name: 'Error' }).getByText('The ink ran out.').waitFor();
        await retry.click();
        await expect.poll(() => mail.state(id)).toBe('waiting');
        expect(complaints).toEqual([]);
      });
    },
  );
});
