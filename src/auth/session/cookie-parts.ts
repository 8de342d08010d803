/** Splits a sealed value that is longer than a cookie over several cookies, and joins it again. */

import type { AuthRequest } from '../web.ts';
import { cookieValues } from './cookies.ts';
import { sealedLimit } from './sealing.ts';

/** Separator after the number of parts in the first part. It does not occur in sealed values. */
const mark = '~';

/** Name of a part; the first part has the name of the cookie itself. */
export function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index + 1}`;
}

/** The values of the parts. A value that is short enough is not changed. */
export function splitValue(sealed: string): string[] {
  if (sealed.length <= sealedLimit) return [sealed];
  const count = Math.ceil(sealed.length / sealedLimit);
  const pieces = Array.from({ length: count }, (_, index) =>
    sealed.slice(index * sealedLimit, (index + 1) * sealedLimit),
  );
  return pieces.map((piece, index) => (index === 0 ? `${count}${mark}${piece}` : piece));
}

/**
 * The values of a cookie, each joined from its parts. A value with missing parts cannot be opened. Browsers send the
 * cookies of each name in the order of their paths: a value has the next ones, or the first ones where something that was
 * planted before it has none.
 */
export function joinedValues(req: AuthRequest, name: string, parts: number): string[] {
  const values = cookieValues(req, name);
  if (parts === 1) return values;
  const all = Array.from({ length: parts - 1 }, (_, at) =>
    cookieValues(req, partName(name, at + 1)),
  );
  const left = all.map((part) => [...part]);
  const joined = values.flatMap((value) => {
    const count = value[1] === mark ? Number(value[0]) : 1;
    if (!(count > 1 && count <= parts)) return value;
    const next = left.slice(0, count - 1).map((part) => part.shift());
    const first = all.slice(0, count - 1).map((part) => part[0]);
    return [next, first].map((rest) =>
      rest.includes(undefined) ? value : value.slice(2) + rest.join(''),
    );
  });
  return [...new Set(joined)];
}
