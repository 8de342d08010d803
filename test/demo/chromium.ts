/** Finds a Chromium for tests of pages, and starts it. */

import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { isCi } from '../setup/ci.ts';

/** The shell without windows comes first: it takes two thirds of the processor time. */
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser: the variable `CHROMIUM`, otherwise an existing usual path, otherwise `null`. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  return (named ? [named] : usualPaths).find((path) => existsSync(path)) ?? null;
}

/** Whether tests fail instead of being skipped if there is no browser. */
export const chromiumRequired = isCi;

/** Starts the browser headless and without background network requests. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // One process for the pages of all tests of a file.
      '--renderer-process-limit=1',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
