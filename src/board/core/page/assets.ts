/** Serves the files of the dashboard from the generated module, which is loaded with the first request for one. */

import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { DashboardAsset, DashboardEntry } from './dashboard-assets.ts';
import type { BoardResponse, RequestHeaders } from '../request/request.ts';
import { preferredEncoding } from '../reply/complete.ts';

/** The files, by path, and the ones that the document names. */
export interface Dashboard {
  readonly entry: DashboardEntry;
  /** The response for a path; undefined if there is no such file. */
  serve(path: string, headers: RequestHeaders): Promise<BoardResponse | undefined>;
}

/** The exports of a generated module. */
export interface GeneratedPage {
  readonly assets: readonly DashboardAsset[];
  readonly entry: DashboardEntry;
}

let loading: Promise<Dashboard> | undefined;

/** Loads the files of the dashboard, once per process. */
export function loadDashboard(): Promise<Dashboard> {
  loading ??= open().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function open(): Promise<Dashboard> {
  return pageFiles(await import('./dashboard-assets.generated.ts'));
}

/** The files of a generated module. */
export function pageFiles({ assets, entry }: GeneratedPage): Dashboard {
  const files = new Map(assets.map((asset) => [asset.path, new File(asset)]));
  return {
    entry,
    serve: async (path, headers) => files.get(path)?.response(headers),
  };
}

const [unpack, zip] = [promisify(brotliDecompress), promisify(gzip)];

type Encoding = 'identity' | 'br' | 'gzip';

/** A file, whose bytes are decoded when they are first asked for. */
class File {
  readonly #asset: DashboardAsset;
  readonly #decoded = new Map<Encoding, Promise<Uint8Array>>();

  constructor(asset: DashboardAsset) {
    this.#asset = asset;
  }

  async response(headers: RequestHeaders): Promise<BoardResponse> {
    const { type, hash, immutable, encodings } = this.#asset;
    const compressed = encodings.br === undefined ? [] : (['br', 'gzip'] as const);
    const encoding = preferredEncoding(headers, compressed);
    return {
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: `W/"${hash}"`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        ...(compressed.length > 0 && { vary: 'accept-encoding' }),
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
      body: await this.#bytes(encoding),
    };
  }

  #bytes(encoding: Encoding): Promise<Uint8Array> {
    let bytes = this.#decoded.get(encoding);
    if (!bytes) {
      bytes = this.#decode(encoding);
      this.#decoded.set(encoding, bytes);
    }
    return bytes;
  }

  async #decode(encoding: Encoding): Promise<Uint8Array> {
    const text = encoding === 'gzip' ? undefined : this.#asset.encodings[encoding];
    if (text !== undefined) return Buffer.from(text, 'base64');
    if (encoding === 'br') throw new Error(`${this.#asset.path} has no ${encoding}`);
    // Browsers take Brotli over HTTPS alone.
    return encoding === 'gzip'
      ? zip(await this.#bytes('identity'), { level: 9 })
      : unpack(await this.#bytes('br'));
  }
}
