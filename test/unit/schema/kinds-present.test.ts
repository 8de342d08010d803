import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindRow } from '../../../src/schema/index.ts';
import type { FieldKind } from '../../../src/index.ts';
import { holds } from '../../seed.ts';

/** A driver's value and its JSON form. */
type Case = readonly [value: unknown, json: unknown];

function shows(kind: FieldKind, title: string, cases: readonly Case[]) {
  it(`${title}`, () => {
    const { present } = kindRow(kind);
    for (const [value, json] of cases) expect(present(value)).toEqual(json);
  });
}

describe('text kinds', () => {
  shows('string', 'a string is unchanged', [
    ['', ''],
    [' a\u0301 ', ' a\u0301 '],
  ]);
  shows('enum', 'an enum is its member', [['new', 'new']]);
  shows('uuid', 'a uuid is in lower case', [
    ['6BA7B810-9DAD-11D1-80B4-00C04FD430C8', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ]);
});

describe('numbers', () => {
  shows('integer', 'an integer is a number, given as number, text or bigint', [
    [-7, -7],
    ['42', 42],
    [2_147_483_647n, 2_147_483_647],
  ]);
  shows('bigint', 'a bigint is a string of digits, given as text, bigint or number', [
    ['9223372036854775807', '9223372036854775807'],
    [-9_223_372_036_854_775_808n, '-9223372036854775808'],
    [12, '12'],
  ]);
  shows('decimal', 'a decimal is exact text without trailing zeros, given as text', [
    ['1.50', '1.5'],
    ['100', '100'],
    ['100.000', '100'],
    ['0.000', '0'],
    ['-0.00', '0'],
    ['-12.340', '-12.34'],
    ['9007199254740993.10', '9007199254740993.1'],
  ]);
  shows('decimal', 'a decimal given as a double of SQLite has no exponent', [
    [1.5, '1.5'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [123_456_789_012_345n, '123456789012345'],
    ['1.5e+20', '150000000000000000000'],
    ['12.5E-3', '0.0125'],
    ['1.5E1', '15'],
  ]);
});

describe('boolean', () => {
  shows('boolean', 'a boolean is a boolean, given as boolean, number, bigint or text', [
    [true, true],
    [1, true],
    [1n, true],
    ['1', true],
    [false, false],
    [0, false],
    [0n, false],
    ['0', false],
  ]);
});

describe('dates and instants', () => {
  shows('date', 'a date is YYYY-MM-DD, given as text, text of an instant, or Date', [
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['2024-02-29T00:00:00.000Z', '2024-02-29'],
    ['2024-02-29 00:00:00', '2024-02-29'],
    [new Date('2024-02-29T00:00:00Z'), '2024-02-29'],
  ]);
  shows('datetime', 'a datetime is in UTC with milliseconds, given as text of PostgreSQL', [
    ['2024-03-04 05:06:07+00', '2024-03-04T05:06:07.000Z'],
    ['2024-03-04 05:06:07.1+00', '2024-03-04T05:06:07.100Z'],
    ['2024-03-04 05:06:07.123456+00', '2024-03-04T05:06:07.123Z'],
    ['2024-03-04 05:06:07.999999+05:30', '2024-03-03T23:36:07.999Z'],
    ['2024-03-04 01:06:07-08', '2024-03-04T09:06:07.000Z'],
  ]);
  shows('datetime', 'a day without a time, and a time without seconds, in text columns of SQLite', [
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01 10:30', '2024-01-01T10:30:00.000Z'],
  ]);
  shows('datetime', 'a datetime given as text of MySQL and of SQLite', [
    ['2024-03-04 05:06:07', '2024-03-04T05:06:07.000Z'],
    ['2024-03-04 05:06:07.123456', '2024-03-04T05:06:07.123Z'],
    ['2024-03-04T05:06:07.120Z', '2024-03-04T05:06:07.120Z'],
    ['2024-03-04T05:06:07Z', '2024-03-04T05:06:07.000Z'],
    ['2024-03-04T05:06:07+00:00', '2024-03-04T05:06:07.000Z'],
  ]);
  shows('datetime', 'a datetime given as Date or epoch milliseconds, from the year 1 to 9999', [
    [new Date('2024-03-04T05:06:07.008Z'), '2024-03-04T05:06:07.008Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [86_399_999, '1970-01-01T23:59:59.999Z'],
    [1_709_528_767_089.75, '2024-03-04T05:06:07.089Z'],
    [1_709_528_767_089n, '2024-03-04T05:06:07.089Z'],
    [Date.parse('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z'],
    [Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z'],
  ]);
});

describe('stored dates and instants outside the range of requests', () => {
  shows('date', 'a day', [
    ['10000-01-01', '+010000-01-01'],
    ['294276-12-31', '294276-12-31'],
    ['0044-03-15 BC', '-000043-03-15'],
    ['0001-12-31 BC', '0000-12-31'],
    ['infinity', 'infinity'],
    ['-infinity', '-infinity'],
    [new Date('+010000-01-01T00:00:00Z'), '+010000-01-01'],
    [new Date(Number.NaN), null],
  ]);
  shows('datetime', 'an instant', [
    ['10000-01-01 00:00:00.12+00', '+010000-01-01T00:00:00.120Z'],
    ['294276-12-31 23:59:59.999999+00', '294276-12-31 23:59:59.999999+00'],
    ['0044-03-15 01:02:03+00 BC', '-000043-03-15T01:02:03.000Z'],
    ['0044-03-15 01:02:03 BC', '-000043-03-15T01:02:03.000Z'],
    ['0001-01-01 00:00:00+01', '0000-12-31T23:00:00.000Z'],
    ['1900-01-01 00:00:00.5-03:30:52', '1900-01-01T03:30:52.500Z'],
    ['2024-01-01 00:00:00+0545', '2023-12-31T18:15:00.000Z'],
    ['infinity', 'infinity'],
    ['-infinity', '-infinity'],
    [new Date('+010000-01-01T00:00:00Z'), '+010000-01-01T00:00:00.000Z'],
    [Date.parse('-000043-03-15T00:00:00Z'), '-000043-03-15T00:00:00.000Z'],
    [new Date(Number.NaN), null],
    [1e17, null],
  ]);
});

describe('every instant of the years 1 to 9999', () => {
  const { present, coerce } = kindRow('datetime');
  const instant = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  it('has the same JSON from every form of a driver, and is accepted as a value', async () => {
    await holds(
      fc.property(instant, (date) => {
        const iso = date.toISOString();
        const texts = [
          iso,
          iso.replace('T', ' ').slice(0, -1),
          iso.replace('T', ' ').replace('Z', '+00'),
        ];
        for (const form of [date, date.getTime(), ...texts]) expect(present(form)).toBe(iso);
        expect(coerce(iso)).toBe(iso);
      }),
      2000,
    );
  });
});

describe('opaque kinds', () => {
  shows('json', 'json is its value, with keys in code-unit order at every depth', [
    [null, null],
    ['text', 'text'],
    [
      [2, 1],
      [2, 1],
    ],
  ]);

  it('equal json values have equal bytes', () => {
    const { present } = kindRow('json');
    const bytes = (value: unknown) => JSON.stringify(present(value));
    expect(bytes({ b: [{ z: 1, a: null }], B: 2, é: 3, a: 4 })).toBe(
      '{"B":2,"a":4,"b":[{"a":null,"z":1}],"é":3}',
    );
    expect(bytes(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1},"b":1}');
  });

  shows('binary', 'binary is base64, given as Buffer or Uint8Array', [
    [Buffer.from([0, 255, 128]), 'AP+A'],
    [new Uint8Array([0, 255, 128]), 'AP+A'],
    [new Uint8Array(0), ''],
    [Buffer.alloc(100_000, 7), Buffer.alloc(100_000, 7).toString('base64')],
  ]);
});
