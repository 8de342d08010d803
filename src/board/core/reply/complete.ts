/** The last step of every response: ETag and 304, the encoding that is accepted, length, and no body for HEAD. */

import { isKnown, SharedWork, acceptedWeights } from '../../../lib/index.ts';
import type { BoardBody, BoardRequest, BoardResponse, RequestHeaders } from '../request/request.ts';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { etagOf } from './shared-body.ts';

/** Maximum size of all compressed bodies that are kept, in bytes. */
const mostKept = 4 * 1024 * 1024;

/** JSON of a board repeats itself: higher levels take several times as long and save a few per cent. */
const brotliQuality = 5;
const gzipLevel = 6;

/** Compresses `bytes`; `key` identifies the content. Without a key the result is not kept. */
type Compress = (
  bytes: Uint8Array,
  encoding: CompressedEncoding,
  key: string | undefined,
) => Promise<Uint8Array>;

function createCompress(): Compress {
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

/** Minimum size of a body that is compressed, in bytes. */
const leastCompressed = 1024;

const compressible = /^(?:text\/|application\/(?:json|javascript|xml)\b|image\/svg)/;

/** Completes a response for its request. */
export type Complete = (request: BoardRequest, response: BoardResponse) => Promise<BoardResponse>;

/** Completes the responses of one board. */
export function createComplete(): Complete {
  const compress = createCompress();
  return async (request, response) => {
    const { status, body } = response;
    const isHead = request.method === 'HEAD';
    if (body === undefined) return response;
    if (isStreamed(body)) {
      if (!isHead) return response;
      await endStream(body);
      return { ...response, body: undefined };
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const headers: Record<string, string> = { ...response.headers };
    const type = headers['content-type'] ?? '';
    const mayCompress =
      headers['content-encoding'] === undefined &&
      bytes.byteLength > leastCompressed &&
      compressible.test(type);
    if (mayCompress) headers['vary'] = 'accept-encoding';
    if (status === 200 && (isHead || request.method === 'GET')) {
      if (type.startsWith('application/json')) headers['etag'] ??= etagOf(bytes);
      const { etag } = headers;
      if (etag !== undefined && isKnown(request.headers['if-none-match'], etag)) {
        return notModified(headers);
      }
    }
    let sent = bytes;
    if (mayCompress) {
      const encoding = preferredEncoding(request.headers, ['br', 'gzip']);
      if (encoding !== 'identity') {
        sent = await compress(bytes, encoding, headers['etag']);
        headers['content-encoding'] = encoding;
      }
    }
    headers['content-length'] = String(sent.byteLength);
    return { status, headers, body: isHead ? undefined : sent };
  };
}

/** Whether a body arrives in pieces. */
export function isStreamed(body: BoardBody | undefined): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

/** Ends a stream that is not sent. */
export async function endStream(body: AsyncIterable<Uint8Array>): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel();
  else await body[Symbol.asyncIterator]().return?.();
}

/** 304 with the headers that the client's copy needs. */
function notModified(headers: Readonly<Record<string, string>>): BoardResponse {
  const dropped = new Set(['content-type', 'content-encoding', 'content-length']);
  const left = Object.entries(headers).filter(([name]) => !dropped.has(name));
  return { status: 304, headers: Object.fromEntries(left), body: undefined };
}

/** Compressed content encodings, the smaller one first. */
type CompressedEncoding = 'br' | 'gzip';

/** The client's preference among the encodings offered; the first one offered wins a tie. */
export function preferredEncoding(
  headers: RequestHeaders,
  offered: readonly CompressedEncoding[],
): CompressedEncoding | 'identity' {
  const given = headers['accept-encoding'];
  if (given === undefined || offered.length === 0) return 'identity';
  const weights = acceptedWeights(given);
  const weightOf = (name: string): number =>
    weights.get(name) ?? weights.get(`x-${name}`) ?? weights.get('*') ?? 0;
  // Without a word about it, an encoded response is preferred to a plain one.
  let best: { readonly name: CompressedEncoding | 'identity'; readonly weight: number } = {
    name: 'identity',
    weight: weights.get('identity') ?? 0,
  };
  for (const name of offered.toReversed()) {
    const weight = weightOf(name);
    if (weight > 0 && weight >= best.weight) best = { name, weight };
  }
  return best.name;
}
