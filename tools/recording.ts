/**
 * `npm run recording`: starts the demo and records how somebody finds the failing queue, the error of a job, and retries
 * it; writes `docs/images/dashboard.webp`. Needs `img2webp` (Debian: `webp`). Flags: `--origin` for a demo that runs
 * already, `--out` for another file.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { prepare, picturedPage, withDemo } from './demo-pages.ts';

const { values } = parseArgs({
  options: {
    origin: { type: 'string' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../docs/images/dashboard.webp', import.meta.url)),
    },
  },
});

/** A README is read on slow lines as well. */
const mostBytes = 2_000_000;

const stepMs = 50;
const steps = 10;

/** A frame: its file, and the milliseconds that it is shown. */
interface Frame {
  readonly file: string;
  readonly ms: number;
}

/** Draws a pointer in the page, above its dialogs, which are in a layer of their own. */
const drawPointer = `({ x, y }) => {
  const svg = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);
  let pointer = document.querySelector('#recorded-pointer');
  if (!pointer) {
    pointer = svg('svg');
    pointer.id = 'recorded-pointer';
    pointer.setAttribute('viewBox', '0 0 16 20');
    const path = svg('path');
    path.setAttribute('d', 'M1 1v15l4-4 3 7 3-1.3-3-6.7h6z');
    path.setAttribute('fill', '#111');
    path.setAttribute('stroke', '#fff');
    pointer.append(path);
    Object.assign(pointer.style, {
      position: 'fixed', zIndex: 99, width: '20px', height: '25px', pointerEvents: 'none',
    });
  }
  Object.assign(pointer.style, { left: x + 'px', top: y + 'px' });
  (document.querySelector('dialog[open]') ?? document.body).append(pointer);
}`;

/** Records frames of a page, with a pointer that the page itself does not have. */
class Recorder {
  readonly frames: Frame[] = [];
  readonly #page: Page;
  readonly #folder: string;
  #at = { x: 640, y: 430 };

  constructor(page: Page, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Shows the page as it is for a time. */
  async hold(ms: number): Promise<void> {
    await prepare(this.#page);
    await this.#draw();
    const file = join(this.#folder, `${String(this.frames.length).padStart(4, '0')}.png`);
    await writeFile(file, await this.#page.screenshot({ animations: 'disabled' }));
    this.frames.push({ file, ms });
  }

  /** Moves the pointer to an element, and presses it. */
  async press(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error('The element has no place.');
    const from = this.#at;
    const to = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      this.#at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await this.#page.mouse.move(this.#at.x, this.#at.y);
      await this.hold(stepMs);
    }
    await this.hold(350);
    await target.click({ position: { x: to.x - box.x, y: to.y - box.y } });
  }

  #draw(): Promise<unknown> {
    return this.#page.evaluate(`(${drawPointer})(${JSON.stringify(this.#at)})`);
  }
}

/** From the overview to the retried job. */
async function play(page: Page, recorder: Recorder, origin: string): Promise<void> {
  await page.goto(`${origin}/bullmq/?engine=kvq`);
  const trouble = page.getByRole('region', { name: /^Needs attention/ });
  const failing = trouble.getByRole('link', { name: /orders\.payments/ }).first();
  await failing.waitFor();
  await page.evaluate('document.fonts.ready');
  await recorder.hold(2_200);
  await recorder.press(failing);
  const job = page.locator('tbody tr').getByRole('link').first();
  await job.waitFor();
  await recorder.hold(1_800);
  await recorder.press(job);
  await page.getByRole('region', { name: 'Error' }).waitFor();
  const retry = page.getByRole('button', { name: /^Retry( r)?$/ });
  await retry.waitFor();
  await recorder.hold(2_600);
  await recorder.press(retry);
  await page.getByText(/retried/).waitFor();
  await recorder.hold(2_800);
}

await withDemo(values.origin, async (browser, origin) => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-recording-'));
  try {
    const page = await picturedPage(browser, { viewport: { width: 1_120, height: 700 } });
    const recorder = new Recorder(page, folder);
    await play(page, recorder, origin);
    const frames = recorder.frames.flatMap(({ file, ms }) => ['-d', String(ms), '-m', '6', file]);
    await promisify(execFile)('img2webp', ['-min_size', '-loop', '0', ...frames, '-o', values.out]);
    const { size } = await stat(values.out);
    console.log(`${values.out}: ${recorder.frames.length} frames, ${Math.round(size / 1_000)} kB`);
    if (size > mostBytes) throw new Error(`The recording has more than ${mostBytes} bytes.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
