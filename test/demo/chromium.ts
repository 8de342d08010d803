/** Finds a Chromium for tests of pages, and starts it. */

import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser: what `CHROMIUM` names, else one in a usual place; `null` where there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  return (named ? [named] : usualPlaces).find((path) => existsSync(path)) ?? null;
}

/** Whether tests that lack a browser fail instead of being left out. */
export const chromiumRequired = Boolean(process.env['CI']);

/** Starts the browser without a window, and without asking anybody on the network anything. */
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
