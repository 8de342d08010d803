/** The URL of the board: from the configuration, or from the headers and mount path of the request. */

import type { AuthRequest } from '../web.ts';
import { forwardedItem } from './client-address.ts';
import { below } from '../../lib/index.ts';

export interface BoardAddress {
  /** Path of the board in browsers, if configured; `null` if it is the mount path. */
  readonly publicPath: string | null;
  /** Path under which requests arrive at this process, behind all proxies. `path` is the path of the request. */
  internalPath(req: AuthRequest, path: string): string;
  /** Path of the board in browsers, in front of all proxies. */
  externalPath(req: AuthRequest): string;
  /** Origin of the board, or `null` when the headers contain no valid host. */
  origin(req: AuthRequest): string | null;
  /** Whether the origin is configured. One of headers may lack the https of a proxy in front. */
  readonly isConfigured: boolean;
  /** Whether browsers use https for the board. */
  secure(req: AuthRequest): boolean;
}

const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const pathPattern = /^(?:\/[\w\-.~!$&'()*+,=:@%]+)+$/;

interface AddressSettings {
  /** `null` if the host does not configure it. */
  readonly basePath: string | null;
  readonly publicUrl: URL | null;
  /** Number of proxies whose headers are read. */
  readonly trustProxy: number;
}

/** Creates the address from these settings. Paths have no trailing slash. */
export function boardAddress({ basePath, publicUrl, trustProxy }: AddressSettings): BoardAddress {
  const publicPath = publicUrl?.pathname.replace(/\/+$/, '') ?? '';
  const configured = publicPath === '' ? basePath : publicPath;
  const paths = {
    publicPath: configured,
    internalPath(req: AuthRequest, path: string): string {
      if (basePath !== null && below(basePath, path) !== undefined) return basePath;
      // A proxy that strips a prefix removes the base path, in whole or in part; the mount path is the rest.
      return mountOf(req) || (basePath ?? '');
    },
    externalPath: (req: AuthRequest): string => configured ?? mountOf(req),
  };
  if (publicUrl !== null) {
    const secure = publicUrl.protocol === 'https:';
    return { ...paths, origin: () => publicUrl.origin, isConfigured: true, secure: () => secure };
  }
  const secure = (req: AuthRequest): boolean => {
    const forwarded = forwardedItem(req.headers['x-forwarded-proto'], trustProxy)?.toLowerCase();
    if (forwarded === 'https' || forwarded === 'http') return forwarded === 'https';
    return Reflect.get(req.socket, 'encrypted') === true;
  };
  const origin = (req: AuthRequest): string | null => {
    const host = hostOf(req, trustProxy);
    const candidate = `${secure(req) ? 'https' : 'http'}://${host}`;
    return host !== null && URL.canParse(candidate) ? new URL(candidate).origin : null;
  };
  return { ...paths, origin, isConfigured: false, secure };
}

/**
 * The mount path from the framework (`baseUrl` of Express), '' if there is none. It contains the mount path as the
 * client spelled it, so a value that a browser would resolve to a different path is ignored.
 */
function mountOf(req: AuthRequest): string {
  const mount: unknown = Reflect.get(req, 'baseUrl');
  if (typeof mount !== 'string' || !pathPattern.test(mount)) return '';
  return new URL(mount, 'http://board.invalid').pathname === mount ? mount : '';
}

function hostOf(req: AuthRequest, trustProxy: number): string | null {
  const forwarded = forwardedItem(req.headers['x-forwarded-host'], trustProxy);
  if (forwarded !== undefined && hostPattern.test(forwarded)) return forwarded;
  const host = req.headers.host ?? [req.headers[':authority']].flat()[0];
  return host !== undefined && hostPattern.test(host) ? host : null;
}
