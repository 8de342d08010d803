/** A sealed value that is longer than a cookie: spread over several, and put together again. */

import type { IncomingMessage } from 'node:http';
import { cookieValues } from './cookies.ts';
import { sealedLimit } from './sealing.ts';

/** The first part begins with how many there are. No sealed value has such a character. */
const mark = '~';

/** Name of a part; the first one has the name of the cookie itself. */
export function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index + 1}`;
}

/** The values of the parts: one that is short enough stays as it is. */
export function splitValue(sealed: string): string[] {
  if (sealed.length <= sealedLimit) return [sealed];
  const count = Math.ceil(sealed.length / sealedLimit);
  const pieces = Array.from({ length: count }, (_, index) =>
    sealed.slice(index * sealedLimit, (index + 1) * sealedLimit),
  );
  return pieces.map((piece, index) => (index === 0 ? `${count}${mark}${piece}` : piece));
}

/** The values of a cookie, each put together from its parts. One whose parts are missing opens as nothing. */
export function joinedValues(req: IncomingMessage, name: string, parts: number): string[] {
  const values = cookieValues(req, name);
  if (parts === 1) return values;
  return values.map((value) => {
    if (value[1] !== mark) return value;
    const count = Number(value[0]);
    if (!(count > 1 && count <= parts)) return value;
    const rest = Array.from(
      { length: count - 1 },
      (_, index) => cookieValues(req, partName(name, index + 1))[0],
    );
    return rest.includes(undefined) ? value : value.slice(2) + rest.join('');
  });
}
