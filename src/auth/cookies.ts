/** Reading and writing of cookies. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** How many cookies of one name are looked at: a browser may hold several for different paths. */
const mostOfOneName = 4;

/** Values of the cookies of a name, in the order of the header. */
export function cookieValues(req: IncomingMessage, name: string): string[] {
  const text = req.headers.cookie;
  if (text === undefined || !text.includes(name)) return [];
  const values: string[] = [];
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    values.push(part.slice(equals + 1).trim());
    if (values.length === mostOfOneName) break;
  }
  return values;
}

export interface CookieAttributes {
  readonly name: string;
  readonly path: string;
  readonly sameSite: 'Lax' | 'Strict';
}

/** Adds a cookie to the response, beside those that it has. A life of 0 seconds removes it from the browser. */
export function setCookie(
  res: ServerResponse,
  { name, path, sameSite }: CookieAttributes,
  value: string,
  { maxAgeSeconds, secure }: { readonly maxAgeSeconds: number; readonly secure: boolean },
): void {
  const text =
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}` +
    (secure ? '; Secure' : '');
  // A cookie of this name that was set before in the same answer is replaced.
  const others = [res.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((other) => !other.startsWith(`${name}=`));
  res.setHeader('set-cookie', [...others, text]);
}
