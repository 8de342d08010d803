/** Reading and writing of cookies. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** How many cookies of one name are looked at: a browser may hold several for different paths. */
const mostOfOneName = 4;

/** Values of the cookies of a name, in the order of the header. */
export function cookieValues(req: IncomingMessage, name: string): string[] {
  const text = req.headers.cookie;
  const values: string[] = [];
  if (text === undefined) return values;
  let at = text.indexOf(name);
  while (at >= 0 && values.length < mostOfOneName) {
    const equals = at + name.length;
    let end = equals;
    if (text[equals] === '=' && startsCookie(text, at)) {
      // Values are long, so none is searched twice.
      end = text.indexOf(';', equals);
      if (end < 0) end = text.length;
      values.push(text.slice(equals + 1, end).trim());
    }
    at = end < text.length ? text.indexOf(name, end) : -1;
  }
  return values;
}

/** Whether nothing but blanks lies between a place and the cookie before it. */
function startsCookie(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || text[before] === ';';
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
