/** The size of the dashboard: what the first visit loads before anything can be seen. */

import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { assets, entry } from '../../src/board/core/page/dashboard-assets.generated.ts';

/** Bytes of compressed JavaScript that the first visit may load. */
const limit = 140_000;

const bytesOf = (path: string): number => {
  const asset = assets.find((each) => each.path === path);
  return Buffer.from(asset?.encodings.gzip ?? '', 'base64').length;
};

it('loads at most 140 kB of compressed JavaScript at first', () => {
  const first = [...entry.scripts, ...entry.preloads];
  expect(first.length).toBeGreaterThan(0);
  expect(first.reduce((sum, path) => sum + bytesOf(path), 0)).toBeLessThan(limit);
});

it('contains no schema library, no other origin and no code made from text', () => {
  for (const { path, encodings, type } of assets) {
    if (!type.startsWith('text/javascript') || !encodings.gzip) continue;
    const code = gunzipSync(Buffer.from(encodings.gzip, 'base64')).toString();
    const found = /\bZodError\b|new Function\(|\beval\(/.exec(code)?.[0];
    expect([path, found]).toEqual([path, undefined]);
  }
});
