/** The size of the dashboard: what the first visit loads before anything can be seen. */

import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

import { assets, entry } from '../../src/board/core/page/dashboard-assets.generated.ts';

/** Bytes of compressed JavaScript that the first visit may load. */
const limit = 90_000;

const unpacked = (br: string): Buffer => brotliDecompressSync(Buffer.from(br, 'base64'));

/** As a browser loads it over plain HTTP. */
const bytesOf = (path: string): number => {
  const br = assets.find((each) => each.path === path)?.encodings.br;
  if (br === undefined) throw new Error(`${path} is not compressed.`);
  return gzipSync(unpacked(br), { level: 9 }).length;
};

it('loads at most 90 kB of compressed JavaScript at first', () => {
  const first = [...entry.scripts, ...entry.preloads];
  expect(first.length).toBeGreaterThan(0);
  expect(first.reduce((sum, path) => sum + bytesOf(path), 0)).toBeLessThan(limit);
});

it('contains no schema library, no other origin and no code made from text', () => {
  for (const { path, encodings, type } of assets) {
    if (!type.startsWith('text/javascript') || !encodings.br) continue;
    const code = unpacked(encodings.br).toString();
    const found = /\bZodError\b|new Function\(|\beval\(/.exec(code)?.[0];
    expect([path, found]).toEqual([path, undefined]);
  }
});
