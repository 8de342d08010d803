/** Compresses bodies off the main thread; equal contents are compressed once and kept for a while. */

import { brotliCompress, constants, gzip } from 'node:zlib';
import { SharedWork } from '../../../lib/index.ts';
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
  const shared = new SharedWork<Uint8Array>(mostKept, (bytes) => bytes.byteLength);
  return (bytes, encoding, key) => {
    const work = (): Promise<Uint8Array> => compressed(bytes, encoding);
    return key === undefined ? work() : shared.run(`${encoding} ${key}`, work);
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
