/** The built playground, served as files, and its pages in a browser. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import express from 'express';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { listen } from '../listening.ts';

const tool = fileURLToPath(new URL('../../tools/playground.ts', import.meta.url));

/** Builds the playground and serves it below a path, as a site does. */
export async function servedPlayground() {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-playground-'));
  await promisify(execFile)(process.execPath, [tool, folder], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const { port, close } = await listen(express().use('/docs/playground', express.static(folder)));
  return {
    url: `http://127.0.0.1:${port}/docs/playground/`,
    close: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The answer that the page shows as JSON. */
export const shownAnswer = async (page: Page): Promise<unknown> =>
  JSON.parse((await page.locator('#answer pre').last().textContent()) ?? '');

/** Waits until the page shows an answer as JSON. */
export async function waitForAnswer(page: Page, expected: unknown): Promise<void> {
  await expect.poll(() => shownAnswer(page).catch(() => undefined)).toEqual(expected);
}

/** Waits until nothing is being asked for. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#status:not([data-loading])').waitFor();
}
