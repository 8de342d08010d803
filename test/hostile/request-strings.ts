/** Hostile query strings: well encoded, barely encoded, broken, meaningless and enormous. */

import fc from 'fast-check';
import { encodeAnything, pairs, valuesOf } from './request-parts.ts';
import type { HostileRequest } from './request-parts.ts';
import { markers } from './values.ts';

const [mark] = markers;

const encoded: fc.Arbitrary<HostileRequest<string>> = pairs.map((list) => ({
  input: list.map(([key, value]) => `${encodeAnything(key)}=${encodeAnything(value)}`).join('&'),
  values: valuesOf(list),
}));

/** Only the ASCII that a request line may hold is left as it is, brackets and quotes among it. */
const barelyEncoded: fc.Arbitrary<HostileRequest<string>> = pairs.map((list) => ({
  input: list
    .map((entry) =>
      entry.map((text) => text.replace(/[^\x21-\x7e]|[%&#+]/gu, encodeAnything)).join('='),
    )
    .join('&'),
  values: valuesOf(list),
}));

const brokenPieces = [
  '%',
  '%%',
  '%z',
  '%zz',
  '%0',
  '%00',
  '%C3%28',
  '%ED%A0%80',
  '%F5%80%80%80',
  '%C0%AE',
  '%u0041',
  '%FF',
  '%E2%82',
  '&&',
  '==',
  '=&=',
  '?',
  '#',
  ';',
  '+',
  '[',
  ']',
  '%5B',
  '%5D',
  '%26',
  '%3D',
  '%2500',
] as const;

/** A query string with something broken in the middle of it. */
const malformed: fc.Arbitrary<HostileRequest<string>> = fc
  .tuple(encoded, fc.constantFrom(...brokenPieces), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([{ input, values }, piece, where]) => {
    const at = Math.floor(input.length * where);
    return { input: input.slice(0, at) + piece + input.slice(at), values, shifted: true };
  });

const garbage: fc.Arbitrary<HostileRequest<string>> = fc
  .array(
    fc.constantFrom(
      'filter',
      'name',
      'sort',
      'page',
      '[',
      ']',
      '=',
      '&',
      '%',
      '"',
      '\\',
      ',',
      '.',
      '-',
      '1',
      'eq',
      '?',
      '+',
      mark,
    ),
    { maxLength: 40 },
  )
  .map((pieces) => ({ input: pieces.join(''), values: [], shifted: true }));

/** Sizes that only a limit handles quickly. */
const enormous: fc.Arbitrary<HostileRequest<string>> = fc
  .constantFrom(
    `search=${mark.repeat(170_000)}`,
    `filter[name][in]=${`${mark},`.repeat(150_000)}`,
    `filter[id][in]=${Array.from({ length: 10_000 }, (_, index) => index).join(',')}`,
    `filter[id][in]=${'1,'.repeat(1_000)}1`,
    `filter[id][in]=${'1,'.repeat(999)}1`,
    'filter[id][in]=1&'.repeat(60_000),
    'filter[id]=1&'.repeat(1_200),
    'sort=name&'.repeat(1_600),
    `sort=${'-name,name,'.repeat(1_400)}id`,
    `includes=${'notes,'.repeat(2_700)}notes`,
    `fields=${'id,'.repeat(5_000)}id`,
    `fields=${'a.'.repeat(8_000)}a`,
    `filter[${'a.'.repeat(7_000)}a]=1`,
    `filter[${'a'.repeat(16_000)}!]=1`,
    `filter[name][like]=${'%25'.repeat(1_000)}`,
    `filter[name][in]=${'"'.repeat(16_000)}`,
    `filter[name][in]=${'\\'.repeat(16_000)}`,
    `filter[balance]=${'9'.repeat(16_000)}`,
    `filter[seenAt]=2024-01-01T00:00:00.${'1'.repeat(16_000)}`,
    `filter[code]=${'0'.repeat(16_000)}`,
    `cursor=${'A'.repeat(16_000)}`,
    `page=${'1'.repeat(16_000)}`,
    `search=${'+'.repeat(16_000)}a`,
    '&'.repeat(1_000_000),
    '='.repeat(16_000),
    `filter${'['.repeat(500_000)}`,
    `filter${'[a]'.repeat(5_000)}=1`,
    Array.from({ length: 51 }, (_, index) => `filter[a${index}]=1`).join('&'),
    Array.from({ length: 1_400 }, (_, index) => `filter[a${index}]`).join('&'),
  )
  .map((input) => ({ input, values: [] }));

/** Hostile query strings of every type. */
export const hostileQueryString: fc.Arbitrary<HostileRequest<string>> = fc.oneof(
  { weight: 40, arbitrary: encoded },
  { weight: 15, arbitrary: barelyEncoded },
  { weight: 15, arbitrary: malformed },
  { weight: 8, arbitrary: garbage },
  { weight: 1, arbitrary: enormous },
);
