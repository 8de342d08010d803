/** Pages of the dashboard in a real browser, which note every error and violation of the content security policy. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe } from 'vitest';
import { chromiumRequired, findChromium, launch } from '../demo/chromium.ts';

export interface OpenPage {
  readonly page: Page;
  /** Complaints of the browser: errors, warnings, refused resources. */
  readonly complaints: string[];
  close(): Promise<void>;
}

const executable = findChromium();

/** Tests in a browser; skipped where there is none, except in CI. */
export function describeInBrowser(name: string, tests: (browser: () => Browser) => void): void {
  describe.skipIf(executable === null && !chromiumRequired)(`${name} in Chromium`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch(executable ?? '');
      return () => browser.close();
    });
    tests(() => browser);
  });
}

/** No search of the pages that are opened from now on is a long one, however slow the machine. */
export const searchInNoTime = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    performance.now = () => 1;
  });

/** Opens an address; requests to other origins are complaints. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  // A condition that is waited for may take long on a busy machine.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith('data:')) {
      complaints.push(`request to ${request.url()}`);
    }
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}
