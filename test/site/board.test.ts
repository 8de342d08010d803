/** The recorded board in a browser: it is clicked through without a server of a board, and without complaints. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBoard } from '../../site/board/files.ts';
import { recordBoard } from '../../site/board/record.ts';
import { describeInBrowser, openPage } from '../dashboard/open-page.ts';
import { scratchFolder, startDemo } from '../demo/start-demo.ts';
import { listen } from '../listening.ts';

describeInBrowser('the recorded board', (browser) => {
  let folder = '';
  /** The record says that it is an hour older. */
  let recordedUntil = 0;
  let served: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-recorded-'));
    const data = await scratchFolder();
    const demo = await startDemo(data.path);
    try {
      const recorded = await recordBoard(browser(), demo.origin, '/bullmq');
      const at = recorded.at - 3_600_000;
      recordedUntil = recorded.at;
      writeBoard({ ...recorded, at }, folder, '/docs/board');
    } finally {
      await demo.end();
      await data.remove();
    }
    served = await listen(express().use('/docs/board', express.static(folder)));
  }, 300_000);
  afterAll(async () => {
    await served?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (at = '/') => openPage(browser(), `http://127.0.0.1:${served.port}/docs/board${at}`);

  it('opens, and shows a queue and a job', async () => {
    const { page, complaints, close } = await open();
    await page.getByRole('main').getByRole('link', { name: 'orders.payments' }).first().click();
    await page.getByRole('heading', { name: /orders.*payments/ }).waitFor();
    await page.locator('tbody a[href*="/queue/orders.payments/"]').first().click();
    await page.getByRole('button', { name: 'Data', exact: true }).waitFor();
    const job = new URL(page.url()).pathname.replace('/docs/board', '');
    await close();
    expect(complaints).toEqual([]);

    const again = await open(job);
    await again.page.getByRole('button', { name: 'Data', exact: true }).waitFor();
    await again.close();
    expect(again.complaints).toEqual([]);
  });

  it('offers no commands, and stays at the moment of the record', async () => {
    const { page, complaints, close } = await open('/queue/orders.payments/');
    const now = await page.evaluate(() => new Date().getTime());
    expect(now).toBeLessThan(recordedUntil);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.getByRole('button', { name: /^(Pause|Retry|Add)/ }).count()).toBe(0);
    await close();
    expect(complaints).toEqual([]);
  });

  it('has no path and no address of the machine in it', async () => {
    const record = await readFile(path.join(folder, 'record.json'), 'utf8');
    expect(record).not.toContain(process.cwd());
  });
});
