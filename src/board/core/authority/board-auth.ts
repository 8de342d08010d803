/** Authentication of a board, the checks for boards without it, and where a write comes from (CSRF protection). */

import { isObject } from '../../../lib/index.ts';
import type { DescribedAuth } from '../../contract/index.ts';
import type { BoardLogger, ResolvedOptions } from '../options.ts';
import type { HookRequest, RequestHeaders } from '../request/request.ts';

/** Authentication as the board uses it; created by `createAuthMiddleware` of `sluice/auth`. */
export interface BoardAuth {
  /** Returns true when it has sent the response, false to continue. Receives Node's request and response. */
  handle(request: object, response: object): Promise<boolean>;
  /** Answers a request of the Fetch API, by itself or with the response of `next`. */
  fetch(request: Request, next: () => Promise<Response>, place?: AuthPlace): Promise<Response>;
  /**
   * The user of a request that was let in before, or null if it would now be refused. Asked for live streams. Default:
   * streams stay open until they end.
   */
  authenticate?(request: object): Promise<unknown>;
  /**
   * A key derived from its secret for a purpose, the same in all instances; `undefined` without a configured secret.
   * Default: none.
   */
  keyFor?(purpose: string): string | undefined;
  /** Its description in the OpenAPI document. Default: nothing. */
  readonly described?: DescribedAuth;
  /** Path of the board in the browser; `null` if it is the mount path. */
  readonly publicPath: string | null;
}

/** Where a request of the Fetch API comes from, and where it arrives. */
export interface AuthPlace {
  readonly mountPath?: string | undefined;
  readonly remoteAddress?: string | undefined;
  readonly readBody?: (() => Promise<ArrayBuffer | Uint8Array>) | undefined;
}

/** The same authentication for a board that browsers find `path` below it. */
export function authBelow(auth: BoardAuth, path: string): BoardAuth {
  return {
    handle: (request, response) => auth.handle(request, response),
    fetch: (request, next, place) => auth.fetch(request, next, place),
    ...(auth.authenticate && { authenticate: auth.authenticate.bind(auth) }),
    ...(auth.described && { described: auth.described }),
    publicPath: auth.publicPath === null ? null : auth.publicPath + path,
  };
}

/** The name of the user who sent a request that was let in; undefined without authentication by the board. */
export async function whoSent(
  auth: BoardAuth | false | undefined,
  { native }: HookRequest,
): Promise<string | undefined> {
  if (!auth || typeof native !== 'object' || native === null) return undefined;
  const user = await auth.authenticate?.(native);
  const name: unknown = isObject(user) ? Reflect.get(user, 'username') : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The options that decide whether a board is open to every client. */
interface Openness {
  /** `false`: the host authenticates requests. */
  readonly auth: BoardAuth | false | undefined;
  readonly handlerHooks: ResolvedOptions['handlerHooks'];
  readonly logger: BoardLogger;
  /** Whether the board has a server to itself, where no middleware of a host can check requests. */
  readonly listens: boolean;
}

/**
 * Warns when the board is open to every client that reaches it. On a server of the host, where other middleware may
 * check requests, it starts in production too; on a server to itself it does not.
 *
 * @throws {TypeError} when the board is open, listens itself, and `NODE_ENV` is `production`
 */
export function checkOpenness({ auth, handlerHooks, logger, listens }: Openness): void {
  if (auth !== undefined || handlerHooks.before !== undefined) return;
  if (listens && process.env['NODE_ENV'] === 'production') {
    throw new TypeError(
      'This board is open: everybody who reaches it may read and change jobs. In production give it "auth", or "auth: false" to serve it open.',
    );
  }
  logger.warn(
    'This board is open: everybody who reaches it may read and change jobs. Give it "auth", or "auth: false" where the host checks requests itself.',
  );
}

/**
 * With every write, a browser sends its origin in a header that pages of other origins cannot forge: `Sec-Fetch-Site`,
 * or on plain HTTP `Origin`. Without both headers, the client is not a browser. An https origin also matches a request
 * over HTTP, because a proxy may terminate TLS.
 */
export function isOwnWrite(headers: RequestHeaders): boolean {
  const site = first(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = first(headers['origin']);
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = first(headers['x-forwarded-host']) ?? first(headers['host'] ?? headers[':authority']);
  if (protocol === 'http:' && first(headers['x-forwarded-proto']) === 'https') return false;
  // Parse with the scheme of the origin, so that its default port may be given or omitted.
  const expected = `${protocol}//${own}`;
  return host !== '' && URL.canParse(expected) && new URL(expected).host === host;
}

/** The first item of a comma-separated header, written by the proxy nearest to the browser. */
function first(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text?.split(',', 1)[0]?.trim().toLowerCase();
}
