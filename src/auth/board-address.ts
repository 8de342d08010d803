/** Where browsers find the board: configured, or read from the request's own headers. */

import type { IncomingMessage } from 'node:http';

export interface BoardAddress {
  /** Path under which the board is served, without a slash at its end. */
  readonly basePath: string;
  /** Origin of the board, or `null` when the headers name no possible host. */
  origin(req: IncomingMessage): string | null;
  /** Origin and base path, without a slash at the end. */
  url(req: IncomingMessage): string | null;
  /** Whether browsers reach the board over https. */
  secure(req: IncomingMessage): boolean;
}

const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export interface AddressSettings {
  readonly basePath: string;
  readonly publicUrl: URL | null;
  readonly trustProxy: boolean;
}

/** The address under these settings. */
export function boardAddress({ basePath, publicUrl, trustProxy }: AddressSettings): BoardAddress {
  if (publicUrl !== null) {
    const path = publicUrl.pathname.replace(/\/+$/, '') || basePath;
    const fixed = publicUrl.origin + path;
    const secure = publicUrl.protocol === 'https:';
    return {
      basePath,
      origin: () => publicUrl.origin,
      url: () => fixed,
      secure: () => secure,
    };
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
  return {
    basePath,
    origin,
    url: (req) => {
      const found = origin(req);
      return found === null ? null : found + basePath;
    },
    secure,
  };
}

function hostOf(req: IncomingMessage, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? first(req.headers['x-forwarded-host']) : undefined;
  if (forwarded !== undefined && hostPattern.test(forwarded)) return forwarded;
  const host = req.headers.host ?? first(req.headers[':authority']);
  return host !== undefined && hostPattern.test(host) ? host : null;
}

/** The first item of a comma list: what the proxy nearest to the browser saw. */
function first(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  const item = text?.split(',', 1)[0]?.trim();
  return item === '' ? undefined : item;
}
