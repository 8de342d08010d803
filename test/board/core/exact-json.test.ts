/** JSON whose numbers keep their digits, for texts of every form. */

import { describe, expect, it } from 'vitest';
import {
  parseExact,
  parseJsonBody,
  rounding,
  sentValue,
  withStoredDigits,
} from '../../../src/board/core/index.ts';

const big = '12345678901234567890';

describe('parseExact', () => {
  it.each([
    big,
    `-${big}`,
    '1e400',
    '-1.5e-400',
    '0.1000000000000000055511',
    `{"a":[1,${big},{"b":${big}}],"c":"${big}"}`,
    `{"__proto__":{"x":${big}},"1e400":"1e400","q":"\\\\\\" ${big} \\\\","n":1e400}`,
    `["\\u0000 number ${big}",${big}]`,
  ])('writes %s as it was read', (text) => {
    expect(JSON.stringify(parseExact(text))).toBe(text);
    // A number that is too large is null, as JSON shows it.
    expect(JSON.stringify(rounding(parseExact(text)))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each([
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['100000000000000000000', '100000000000000000000'],
    ['9007199254740992', '9007199254740992'],
    ['1E-7', '1e-7'],
    ['-0.0', '0'],
  ])('leaves %s, which JavaScript holds, a number', (text, written) => {
    const value = parseExact(`[${text}]`) as unknown[];
    expect([typeof value[0], JSON.stringify(value)]).toEqual(['number', `[${written}]`]);
  });

  it('tells the text of a number that JavaScript does not hold', () => {
    expect(parseExact(`[${big}]`)).toEqual([{ rawJSON: big }]);
  });

  it('takes 50,000 numbers beyond those of JavaScript from a request, and no more', () => {
    const body = (count: number) =>
      parseJsonBody(Buffer.from(`[${Array(count).fill(big).join()}]`), 'application/json');
    expect(body(50_000)).toHaveProperty('value');
    expect(body(50_001)).toEqual({ refused: 'malformed' });
  });

  it.each([`{${big}:1}`, `[0${big}]`, `[${big}.]`, `[+${big}]`, `[${big}`, `"${big}`, ''])(
    'refuses %s, which is not JSON',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('takes any depth', () => {
    const deep = `${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`;
    expect(() => parseExact(deep)).not.toThrow();
  });

  it('costs a small multiple of JSON.parse, whatever the text', () => {
    for (const unit of ['1e1', '"a"', '{"a":1}']) {
      const text = `[${`${unit},`.repeat(200_000)}1e1]`;
      const began = process.cpuUsage();
      parseExact(text);
      const { user } = process.cpuUsage(began);
      // A reviver of JSON.parse takes seconds.
      expect([unit, user < 1_500_000]).toEqual([unit, true]);
    }
  });
});

describe('sentValue', () => {
  it('limits the parts and the depth of a text', () => {
    const wide = (count: number): string => `[${Array(count).fill('[]').join()}]`;
    expect(sentValue(wide(499_999), true, 'data')).toHaveLength(499_999);
    for (const text of [wide(500_000), `${'['.repeat(501)}${']'.repeat(501)}`]) {
      expect(() => sentValue(text, true, 'data')).toThrow(
        expect.objectContaining({
          key: 'INVALID_REQUEST_BODY',
          params: expect.objectContaining({ message: 'With "raw", it must be a JSON text.' }),
        }),
      );
    }
  });
});

describe('withStoredDigits', () => {
  const stored = parseExact(`{"id":${big},"list":[${big}],"n":1e400}`);

  it('keeps the digits of numbers in their places', () => {
    const shown = JSON.parse(JSON.stringify(rounding(stored)));
    expect(JSON.stringify(withStoredDigits(shown, stored, 'data'))).toBe(JSON.stringify(stored));
    const edited = withStoredDigits({ ...shown, more: 1 }, stored, 'data');
    expect(JSON.stringify(edited)).toBe(`{"id":${big},"list":[${big}],"n":1e400,"more":1}`);
  });

  it('refuses a number that was moved, unless nobody may know', () => {
    const moved = { other: Number(big) };
    expect(() => withStoredDigits(moved, stored, 'data')).toThrow();
    expect(withStoredDigits(moved, stored, undefined)).toBe(moved);
    expect(withStoredDigits({ id: 5 }, stored, 'data')).toEqual({ id: 5 });
  });
});
