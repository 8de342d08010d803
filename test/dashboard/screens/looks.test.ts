/**
 * How each screen looks, in both schemes and on a phone, against small pictures in `looks`. Screens are compared coarsely,
 * so that other fonts, figures and times make no difference, and a part that moves, vanishes or loses its colour does.
 *
 * `SLUICE_LOOKS=write` writes the pictures again; with a folder in `SLUICE_LOOKS_AT`, the screens in their own size are
 * written there: look at them before the small ones are committed.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../../board/kvq/cells.ts';
import { describeInBrowser, openPage } from '../open-page.ts';
import { shownBoards } from './boards.ts';
import type { ShownBoards } from './boards.ts';
import { screenNamed } from './screens.ts';

const [cell] = cells;
const folder = fileURLToPath(new URL('../looks', import.meta.url));
const writes = process.env['SLUICE_LOOKS'] === 'write';
const looked = process.env['SLUICE_LOOKS_AT'];

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

const desktop = { width: 1_200, height: 720 };
const phone = { width: 384, height: 768 };

const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', viewport: desktop },
  { name: 'dark', colorScheme: 'dark', viewport: desktop },
  { name: 'phone', colorScheme: 'light', viewport: phone },
  { name: 'phone-dark', colorScheme: 'dark', viewport: phone },
];

/** Names of pictures, and of the screens that they show. */
const pictures = [
  ['overview', 'overview'],
  ['queue', 'queue: selection'],
  ['job', 'job'],
  ['settings', 'queue: settings'],
  ['schedules', 'schedules'],
  ['add', 'queue: add a job'],
  ['metrics', 'metrics'],
  ['warnings', 'warnings: details'],
  ['workers', 'workers of pg-boss'],
  ['find', 'find'],
] as const;

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
  let boards: ShownBoards;
  let desk: Page;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    boards = await shownBoards(cell);
    desk = await browser().newPage();
    await mkdir(folder, { recursive: true });
  });
  afterAll(async () => {
    await desk?.close();
    await boards?.close();
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

  /** Waits until two pictures in a row are equal: charts draw themselves late. */
  async function settled(shoot: () => Promise<string>): Promise<void> {
    let before = await shoot();
    await expect
      .poll(async () => {
        const [last, now] = [before, await shoot()];
        before = now;
        return last === now;
      })
      .toBe(true);
  }

  it.each(pictures)('are those of the picture of %s', async (picture, screen) => {
    const { engine, path, ready } = screenNamed(screen);
    for (const { name, colorScheme, viewport } of looks) {
      const { page, close } = await openPage(browser(), `${boards.urls[engine]}${path(boards)}`, {
        colorScheme,
        viewport,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
      });
      await ready(page);
      // The queues at the side come when the screen is there.
      if (viewport === desktop) await page.locator('nav[aria-label=Queues] a').first().waitFor();
      await page.mouse.move(0, 0);
      await page.evaluate('document.fonts.ready');
      const file = `${folder}/${picture}-${name}.png`;
      const whole = () => page.screenshot({ animations: 'disabled' });
      const shoot = async () => small((await whole()).toString('base64'));
      if (writes) await settled(shoot);
      if (looked !== undefined) await writeFile(`${looked}/${picture}-${name}.png`, await whole());
      if (writes) await writeFile(file, Buffer.from(await shoot(), 'base64'));
      const known = (await readFile(file)).toString('base64');
      // The last parts of a screen arrive in their own time.
      await expect
        .poll(async () => difference(await shoot(), known), {
          timeout: 30_000,
          message: `${picture}-${name} looks otherwise: see SLUICE_LOOKS in this file`,
        })
        .toBeLessThan(screenDiffers);
      await close();
    }
  });

  it('tells the pictures of different screens apart', async () => {
    for (const { name } of looks) {
      const stored = await Promise.all(
        pictures.map(async ([picture]) =>
          (await readFile(`${folder}/${picture}-${name}.png`)).toString('base64'),
        ),
      );
      const [first = '', ...others] = stored;
      for (const other of others) {
        expect(await difference(first, other)).toBeGreaterThan(screenDiffers);
      }
    }
  });
});
