/** Hostile values: what a client could send where a value belongs. Each that is not a plain word carries a marker. */

import fc from 'fast-check';
import { anyText } from '../any-text.ts';

/** Texts that occur in no message: an answer that holds one has echoed a value. */
export const markers = ['mArKeR', '73197319'] as const;
const [mark, digits] = markers;

const loneHigh = '\ud83d';
const loneLow = '\udc00';

/** Texts that no kind accepts, or only kind `string`. */
const awkwardTexts: readonly string[] = [
  `${mark}\0`,
  `\0${mark}`,
  `${mark}${loneHigh}`,
  `${loneLow}${mark}`,
  `${loneHigh}${loneHigh}${mark}`,
  `' OR '1'='1' -- ${mark}`,
  `"; DROP TABLE hz_people; -- ${mark}`,
  `1) UNION SELECT c_secret FROM hz_people -- ${mark}`,
  `${mark}%`,
  `%_\\${mark}`,
  `${mark}\\`,
  `${mark}"`,
  `"${mark}`,
  `a,!${mark},"b`,
  `{"$ne":"${mark}"}`,
  `$\{${mark}}`,
  `<script>${mark}</script>`,
  `../../${mark}`,
  `${mark}\r\nSet-Cookie: a=b`,
  `\u202e${mark}\ufeff\u00a0`,
  `🙂${mark}𝒳`,
  `ﬃ${mark}ẞİ`,
  `$1 ? :a @b ${mark}`,
  `0x${digits}`,
  `${digits}e400`,
  `+${digits}`,
  `0${digits}`,
  ` ${digits} `,
  `${digits}abc`,
  `-${digits}-`,
  `${digits}.`,
  `.${digits}`,
  `${digits}n`,
  `١٢٣${digits}`,
];

/** Numbers at and beyond the edges of 32 bits, 64 bits and 65 digits. */
const edgeNumbers: readonly string[] = [
  '2147483647',
  '2147483648',
  '-2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  `${digits}${digits}${digits}`,
  `-${digits}${digits}${digits}`,
  '9'.repeat(65),
  '9'.repeat(66),
  `0.${'9'.repeat(30)}`,
  `0.${'9'.repeat(31)}`,
  '1e400',
  '1e-400',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '00',
  '1.5',
];

/** Days and instants, most of them impossible. */
const oddDates: readonly string[] = [
  '2024-02-30',
  '2023-02-29',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '2024-13-01',
  '2024-00-10',
  '-2024-01-01',
  '2024-1-1',
  'yesterday',
  'infinity',
  '2024-01-01T24:00:00Z',
  '2024-01-01T00:00:60Z',
  '2024-01-01 00:00:00Z',
  '2024-01-01T00:00:00',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59-23:59',
  `2024-01-01T00:00:00.${digits}${digits}Z`,
  '2024-01-01T00:00:00Z; select 1',
];

/** Plain words, among them what some kind accepts, so that part of the requests is answered. */
const plainTexts: readonly string[] = [
  '',
  '0',
  '1',
  '2',
  '25',
  '-3',
  '1.25',
  'true',
  'false',
  'null',
  'undefined',
  'TRUE',
  'yes',
  'on',
  'admin',
  'guest',
  'Ada',
  'a',
  '%',
  '_',
  '\\',
  '2024-01-01',
  '1994-02-05',
  '2024-01-01T00:00:00Z',
  '2024-03-04T05:06:07.123456+02:00',
  '00000001-0000-4000-8000-000000000001',
  '00000001-0000-4000-8000-00000000000G',
  '[object Object]',
  '__proto__',
];

const words = (list: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...list);

/** One text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: words(plainTexts) },
  { weight: 3, arbitrary: words(awkwardTexts) },
  { weight: 2, arbitrary: words(edgeNumbers) },
  { weight: 2, arbitrary: words(oddDates) },
  {
    weight: 1,
    arbitrary: anyText({ maxLength: 20 }).map((text) => `!${mark}${text}`),
  },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 1200 }).map((size) => mark.repeat(size)) },
);

/** Every fixed text above. */
export const everyText = [...plainTexts, ...awkwardTexts, ...edgeNumbers, ...oddDates];

/** A list as text: quotes, backslashes and commas in every state. */
export const hostileList: fc.Arbitrary<string> = fc.oneof(
  fc.array(hostileText, { maxLength: 5 }).map((items) => items.join(',')),
  fc.array(words(plainTexts), { maxLength: 4 }).map((items) => items.join(',')),
  fc.constantFrom('"', '\\', ',', ',,', '"a","', '"a\\', `"${mark}`, `${mark}\\`, '"a"b"c"'),
);

const wordsOfMessages = new Set(['true', 'false', 'null', 'TRUE', 'undefined']);

/** Whether a text holds a marker. */
export function holdsMarker(text: string): boolean {
  const lower = text.toLowerCase();
  return markers.some((marker) => lower.includes(marker.toLowerCase()));
}

/** Whether a text holds one of the values whole, where it is not a word of a message, such as the first of a list. */
export function holdsValue(text: string, values: readonly string[]): boolean {
  return values.some(
    (value) =>
      value.length > 3 && !wordsOfMessages.has(value.replace(/,$/, '')) && text.includes(value),
  );
}
