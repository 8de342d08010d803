/** Finds a Chromium for tests of pages, and starts it. */

import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { isCi } from '../setup/ci.ts';

const usualPaths = [
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
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
