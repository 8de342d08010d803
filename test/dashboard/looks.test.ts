/**
 * How each screen looks, in both schemes and on a phone, against small pictures in `looks`. Screens are compared coarsely,
 * so that other fonts, figures and times make no difference, and a part that moves, vanishes or loses its colour does.
 *
 * `SLUICE_LOOKS=write` writes the pictures again: look at them before they are committed.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;
const folder = fileURLToPath(new URL('./looks', import.meta.url));
const writes = process.env['SLUICE_LOOKS'] === 'write';

/** Pixels of the page in a pixel of a picture. */
const scale = 6;
/** Pixels of the page in a field that is compared. */
const field = 24;
/** A field differs if its mean colour does by so much of 255, and a screen if so many of its fields do. */
const fieldDiffers = 26;
const screenDiffers = 0.04;

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1_200, height: 720 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1_200, height: 720 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 384, height: 768 } },
];

const screens: readonly (readonly [string, (id: string) => string, (page: Page) => unknown])[] = [
  ['overview', () => '/', (page) => page.locator('tbody tr').nth(1).waitFor()],
  [
    'queue',
    () => '/queue/mail?state=failed',
    async (page) => {
      await page.locator('tbody tr').nth(5).waitFor();
      await page.locator('tbody').getByRole('checkbox').first().check();
      await page.getByRole('region', { name: 'Selected jobs' }).waitFor();
    },
  ],
  [
    'job',
    (id) => `/queue/mail/${id}`,
    (page) => page.getByRole('region', { name: 'Error' }).waitFor(),
  ],
  [
    'settings',
    () => '/queue/mail?tab=settings',
    (page) => page.getByRole('button', { name: 'Save' }).first().waitFor(),
  ],
  [
    'schedules',
    () => '/job-schedulers',
    (page) => page.getByRole('row', { name: /nightly/ }).waitFor(),
  ],
  [
    'add',
    () => '/queue/mail',
    async (page) => {
      await page.getByRole('button', { name: 'Add job' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
];

/** Draws pictures in the browser: the pixels of one at a width, or the picture itself, smaller. */
const draw = `async (picture, scale, pixels) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(image.width / scale), Math.round(image.height / scale)];
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  if (!pixels) return canvas.toDataURL('image/png').split(',')[1];
  return [...context.getImageData(0, 0, canvas.width, canvas.height).data];
}`;

describeInBrowser('the looks of the dashboard', (browser) => {
  let queues: FailingQueues;
  let desk: Page;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
    await queues.mail.schedule('nightly', { pattern: '0 3 * * *' });
    desk = await browser().newPage();
    await mkdir(folder, { recursive: true });
  });
  afterAll(async () => {
    await desk?.close();
    await queues?.close();
  });

  const small = (picture: string) =>
    desk.evaluate<string>(`(${draw})(${JSON.stringify(picture)}, ${scale}, false)`);
  const fields = (picture: string) =>
    desk.evaluate<number[]>(`(${draw})(${JSON.stringify(picture)}, ${field / scale}, true)`);

  /** The share of fields that differ. */
  async function difference(left: string, right: string): Promise<number> {
    const [ours, theirs] = [await fields(left), await fields(right)];
    if (ours.length !== theirs.length) return 1;
    let differing = 0;
    for (let at = 0; at < ours.length; at += 4) {
      const most = Math.max(
        ...[0, 1, 2].map((part) => Math.abs((ours[at + part] ?? 0) - (theirs[at + part] ?? 0))),
      );
      if (most > fieldDiffers) differing += 1;
    }
    return differing / (ours.length / 4);
  }

  it.each(screens)('are those of the picture of %s', async (screen, path, ready) => {
    for (const { name, colorScheme, viewport } of looks) {
      const { page, close } = await openPage(
        browser(),
        `${queues.board.url}${path(queues.failed[0] ?? '')}`,
        { colorScheme, viewport, reducedMotion: 'reduce', timezoneId: 'UTC' },
      );
      await ready(page);
      await page.mouse.move(0, 0);
      await page.evaluate('document.fonts.ready');
      const file = `${folder}/${screen}-${name}.png`;
      const shoot = async () =>
        small((await page.screenshot({ animations: 'disabled' })).toString('base64'));
      if (writes) await writeFile(file, Buffer.from(await shoot(), 'base64'));
      const picture = (await readFile(file)).toString('base64');
      // The last parts of a screen arrive in their own time.
      await expect
        .poll(async () => difference(await shoot(), picture), {
          timeout: 30_000,
          message: `${screen}-${name} looks otherwise: see SLUICE_LOOKS in this file`,
        })
        .toBeLessThan(screenDiffers);
      await close();
    }
  });

  it('tells the pictures of different screens apart', async () => {
    const names = screens.map(([screen]) => screen);
    for (const { name } of looks) {
      const pictures = await Promise.all(
        names.map(async (screen) =>
          (await readFile(`${folder}/${screen}-${name}.png`)).toString('base64'),
        ),
      );
      const [first = '', ...others] = pictures;
      for (const other of others) {
        expect(await difference(first, other)).toBeGreaterThan(screenDiffers);
      }
    }
  });
});
