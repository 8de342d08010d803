/** Requests and responses of the Fetch API as those of a board. */

import { parseJsonBody } from '../request/body.ts';
import type { BoardBody, BoardRequest, BoardResponse, ReadBody } from '../request/request.ts';
import { isStreamed } from './complete.ts';
import { below, bytesWithin, normalizeBasePath } from '../../../lib/index.ts';

/** Where a board is mounted, for a request of the Fetch API. */
export interface FetchMount {
  /**
   * Path under which browsers find the board, with the prefix that a proxy in front strips. Default: the path of the
   * authentication, else the root.
   */
  readonly basePath?: string;
  /**
   * Path under which the request arrives here. Default: `basePath` where the path of the request begins with it, else
   * the root, which is where a proxy that strips the base path sends it.
   */
  readonly mountPath?: string;
  /** The request as hooks, visibility guards and permissions see it in `native`. Default: the `Request`. */
  readonly native?: unknown;
  /** Address of the client, for authentication that limits logins. Default: unknown. */
  readonly remoteAddress?: string;
  /** Reads a body that middleware of the host has read already. Default: such a body counts as absent. */
  readonly readBody?: () => Promise<ArrayBuffer | Uint8Array>;
  /**
   * Whether responses are compressed as the client accepts it. Default true. Set it to false where the server compresses
   * them itself.
   */
  readonly compress?: boolean;
  /** Answers a request whose path does not belong to the board. Default: 404. */
  readonly notFound?: () => Response | Promise<Response>;
}

/** The mount with its paths. `publicPath` is that of the authentication. */
export function resolveMount(
  request: Request,
  mount: FetchMount,
  publicPath: string | null,
): FetchMount & { readonly basePath: string; readonly mountPath: string } {
  const basePath = mountOption('basePath', mount.basePath) ?? publicPath ?? '';
  const isBelow = below(basePath, new URL(request.url).pathname) !== undefined;
  const mountPath = mountOption('mountPath', mount.mountPath) ?? (isBelow ? basePath : '');
  return { ...mount, basePath, mountPath };
}

function mountOption(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const path = normalizeBasePath(value);
  if (path === undefined) throw new TypeError(`"${name}" must be a path such as /admin/queues`);
  return path;
}

/** The board request; undefined if the path lies outside of the mount path. */
export function webRequest(
  request: Request,
  { basePath = '', mountPath = '', native, readBody, compress = true }: FetchMount,
): BoardRequest | undefined {
  const { pathname, search, host } = new URL(request.url);
  const path = below(mountPath, pathname);
  if (path === undefined) return undefined;
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  headers['host'] ??= host;
  if (!compress) delete headers['accept-encoding'];
  return {
    method: request.method,
    path,
    rawQuery: search.slice(1),
    headers,
    readBody: async (limit) => readWebBody(request, limit, readBody),
    signal: request.signal,
    basePath,
    native: native ?? request,
  };
}

async function readWebBody(
  request: Request,
  limit: number,
  reread: FetchMount['readBody'],
): Promise<ReadBody> {
  const type = request.headers.get('content-type') ?? undefined;
  if (request.bodyUsed) {
    if (!reread) return { value: undefined };
    const bytes = new Uint8Array(await reread());
    return bytes.byteLength > limit ? { refused: 'too-large' } : parseJsonBody(bytes, type);
  }
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    return { refused: 'not-json' };
  }
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { refused: 'too-large' };
  // Beyond the limit, the rest of the body is cancelled.
  const bytes = await bytesWithin(request.body ?? [], limit).catch(() => null);
  if (bytes === null) return { refused: 'malformed' };
  return bytes ? parseJsonBody(bytes, type) : { refused: 'too-large' };
}

/** Response statuses that have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** The response for a server of the Fetch API. */
export function webResponse({ status, headers, body }: BoardResponse): Response {
  // The server decides about connections; HTTP/2 has no such header.
  const { connection: _, ...sent } = headers;
  return new Response(bodiless.has(status) ? null : webBody(body), { status, headers: sent });
}

function webBody(body: BoardBody | undefined): ConstructorParameters<typeof Response>[0] {
  if (body === undefined) return null;
  if (!isStreamed(body)) return body;
  if (body instanceof ReadableStream) return body;
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
