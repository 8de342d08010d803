/** Pictures of the documents: as WebP, which takes half of the bytes of a PNG. */

import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Writes what the window shows to a file. */
export async function savePicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  writeFileSync(path, Buffer.from(data, 'base64'));
  await session.detach();
}
