/** The board's address: from the configuration, or from the request's own headers and mount. */

import type { IncomingMessage } from 'node:http';
import { below } from './exchange.ts';

export interface BoardAddress {
  /** Path under which browsers find the board, where it is configured; `null` where it is the mount. */
  readonly publicPath: string | null;
  /** Path under which requests for the board arrive here, behind every proxy. `path` is the request's own. */
  internalPath(req: IncomingMessage, path: string): string;
  /** Path under which browsers find the board, in front of every proxy. */
  externalPath(req: IncomingMessage): string;
  /** Origin of the board, or `null` when the headers name no possible host. */
  origin(req: IncomingMessage): string | null;
  /** Whether browsers reach the board over https. */
  secure(req: IncomingMessage): boolean;
}

const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const pathPattern = /^(?:\/[\w\-.~!$&'()*+,=:@%]+)+$/;

export interface AddressSettings {
  /** `null` where the host does not name one. */
  readonly basePath: string | null;
  readonly publicUrl: URL | null;
  readonly trustProxy: boolean;
}

/** The address under these settings. Paths have no slash at their end. */
export function boardAddress({ basePath, publicUrl, trustProxy }: AddressSettings): BoardAddress {
  const publicPath = publicUrl?.pathname.replace(/\/+$/, '') ?? '';
  const configured = publicPath === '' ? basePath : publicPath;
  const paths = {
    publicPath: configured,
    internalPath(req: IncomingMessage, path: string): string {
      if (basePath !== null && below(basePath, path) !== null) return basePath;
      // A proxy that strips a prefix leaves the base path out; the mount says what is left of it.
      return mountOf(req) || (basePath ?? '');
    },
    externalPath: (req: IncomingMessage): string => configured ?? mountOf(req),
  };
  if (publicUrl !== null) {
    const secure = publicUrl.protocol === 'https:';
    return { ...paths, origin: () => publicUrl.origin, secure: () => secure };
  }
  const secure = (req: IncomingMessage): boolean => {
    const forwarded = trustProxy ? first(req.headers['x-forwarded-proto'])?.toLowerCase() : '';
    if (forwarded === 'https' || forwarded === 'http') return forwarded === 'https';
    return Reflect.get(req.socket, 'encrypted') === true;
  };
  const origin = (req: IncomingMessage): string | null => {
    const host = hostOf(req, trustProxy);
    const candidate = `${secure(req) ? 'https' : 'http'}://${host}`;
    return host !== null && URL.canParse(candidate) ? new URL(candidate).origin : null;
  };
  return { ...paths, origin, secure };
}

/**
 * The path under which the framework mounted the middleware (`baseUrl` of Express), '' where it names none. It is the
 * client's own spelling of the mount, so anything that a browser would read as another path does not count.
 */
function mountOf(req: IncomingMessage): string {
  const mount: unknown = Reflect.get(req, 'baseUrl');
  if (typeof mount !== 'string' || !pathPattern.test(mount)) return '';
  return new URL(mount, 'http://board.invalid').pathname === mount ? mount : '';
}

function hostOf(req: IncomingMessage, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? first(req.headers['x-forwarded-host']) : undefined;
  if (forwarded !== undefined && hostPattern.test(forwarded)) return forwarded;
  const host = req.headers.host ?? first(req.headers[':authority']);
  return host !== undefined && hostPattern.test(host) ? host : null;
}

/** The first item of a comma-separated list: the one that the proxy nearest to the browser wrote. */
function first(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  const item = text?.split(',', 1)[0]?.trim();
  return item === '' ? undefined : item;
}
