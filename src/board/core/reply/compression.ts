/** Compresses bodies off the main thread; equal contents are compressed once and kept for a while. */

import { brotliCompress, constants, gzip } from 'node:zlib';
import { BoundedCache } from '../../../lib/index.ts';
import type { CompressedEncoding } from './accept-encoding.ts';

/** Maximum size of all compressed bodies that are kept, in bytes. */
const mostKept = 4 * 1024 * 1024;

/** JSON of a board repeats itself: higher levels take several times as long and save a few per cent. */
const brotliQuality = 5;
const gzipLevel = 6;

/** Compresses `bytes`; `key` identifies the content. Without a key the result is not kept. */
export type Compress = (
  bytes: Uint8Array,
  encoding: CompressedEncoding,
  key: string | undefined,
) => Promise<Uint8Array>;

export function createCompress(): Compress {
  const kept = new BoundedCache<string, Uint8Array>(mostKept, (bytes) => bytes.byteLength);
  const running = new Map<string, Promise<Uint8Array>>();
  return (bytes, encoding, key) => {
    if (key === undefined) return compressed(bytes, encoding);
    const name = `${encoding} ${key}`;
    const ready = kept.get(name);
    if (ready) return Promise.resolve(ready);
    let work = running.get(name);
    if (!work) {
      work = compressed(bytes, encoding)
        .then((result) => {
          kept.set(name, result);
          return result;
        })
        .finally(() => running.delete(name));
      running.set(name, work);
    }
    return work;
  };
}

function compressed(bytes: Uint8Array, encoding: CompressedEncoding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, result: Uint8Array): void =>
      error ? reject(error) : resolve(result);
    if (encoding === 'gzip') {
      gzip(bytes, { level: gzipLevel }, settle);
    } else {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      };
      brotliCompress(bytes, { params }, settle);
    }
  });
}
