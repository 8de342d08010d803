/** Reading and writing of cookies. */

import type { AuthRequest, AuthResponse } from '../web.ts';

/** Maximum number of cookies read per name: a browser may send several for different paths. */
const mostOfOneName = 4;

/** Values of the cookies with a name, in the order of the header. */
export function cookieValues(req: AuthRequest, name: string): string[] {
  const text = req.headers.cookie ?? '';
  const values: string[] = [];
  let start = findValue(text, name, 0);
  while (start >= 0 && values.length < mostOfOneName) {
    values.push(valueAt(text, start));
    start = findValue(text, name, start);
  }
  return values;
}

function valueAt(text: string, start: number): string {
  const end = text.indexOf(';', start);
  return text.slice(start, end < 0 ? text.length : end).trim();
}

/** Start of the value of the next cookie with a name; -1 if there is none. */
function findValue(text: string, name: string, from: number): number {
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1)) {
    const equals = at + name.length;
    if (text[equals] === '=' && startsCookie(text, at)) return equals + 1;
  }
  return -1;
}

/** Whether there is only whitespace between a position and the previous cookie. */
function startsCookie(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || text[before] === ';';
}

/** Names and values of the cookies whose name begins with a prefix, oldest first, as browsers send them. */
export function cookiesWithPrefix(
  req: AuthRequest,
  prefix: string,
): { readonly name: string; readonly value: string }[] {
  return (req.headers.cookie ?? '').split(';').flatMap((pair) => {
    const text = pair.trim();
    const equals = text.indexOf('=');
    return text.startsWith(prefix) && equals > 0
      ? [{ name: text.slice(0, equals), value: text.slice(equals + 1) }]
      : [];
  });
}

export interface CookieAttributes {
  readonly name: string;
  readonly path: string;
  readonly sameSite: 'Lax' | 'Strict';
}

interface CookieLife {
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}

/** Creates a `Set-Cookie` header. A lifetime of 0 seconds removes the cookie from the browser. */
export function cookieText(
  { name, path, sameSite }: CookieAttributes,
  value: string,
  { maxAgeSeconds, secure }: CookieLife,
): string {
  return (
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}` +
    (secure ? '; Secure' : '')
  );
}

/** Adds a cookie to a response of the middleware; replaces one of the same name. */
export function setCookie(res: AuthResponse, text: string): void {
  const name = text.slice(0, text.indexOf('=') + 1);
  const others = [res.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((other) => !other.startsWith(name));
  res.setHeader('set-cookie', [...others, text]);
}
