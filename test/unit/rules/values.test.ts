import { describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import type { ConditionPredicate } from '../../../src/index.ts';
import { refusalOf } from '../refusal.ts';
import { shopRules, valueOf } from './shop-rules.ts';

const rules = shopRules();
const value = (path: string, text: string, operator = 'eq') => valueOf(rules, path, operator, text);

type Accepted = readonly (readonly [text: string, canonical: ConditionPredicate['value']])[];

/** Texts that mean themselves. */
const same = (...texts: string[]): Accepted => texts.map((text) => [text, text]);

/** Values that each kind accepts, their canonical form, and values that it refuses (see "Values" of the guide). */
const table: readonly {
  readonly kind: string;
  readonly path: string;
  readonly accepted: Accepted;
  readonly refused: readonly string[];
}[] = [
  {
    kind: 'string',
    path: 'name',
    accepted: [
      ...same('', ' ', ' a ', '%_\\!', "'", '"', 'a,b', '10', 'true', 'null', 'é', 'e\u0301', '😀'),
      ...same('a'.repeat(1000), '\u200b', '\uFEFF', '\n', '--', '$1', '?', '\uFFFD'),
    ],
    refused: ['\0', 'a\0b', 'a'.repeat(1001)],
  },
  {
    kind: 'uuid',
    path: 'code',
    accepted: [
      ...same('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
      ['6BA7B810-9DAD-11D1-80B4-00C04FD430C8', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
      ...same('0190163d-8694-739b-aea5-966c26f8ad91'),
    ],
    refused: [
      '',
      '6ba7b8109dad11d180b400c04fd430c8',
      '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}',
      'urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8 ',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8\n',
      '6ba7b81-09dad-11d1-80b4-00c04fd430c8',
      'gba7b810-9dad-11d1-80b4-00c04fd430c8',
    ],
  },
  {
    kind: 'enum',
    path: 'state',
    accepted: same('new', 'used', 'a,b"c\\d'),
    refused: ['', 'NEW', 'new ', 'nope', 'constructor', '0'],
  },
  {
    kind: 'integer',
    path: 'stock',
    accepted: [
      ['0', 0],
      ['-0', 0],
      ['7', 7],
      ['-7', -7],
      ['2147483647', 2_147_483_647],
      ['-2147483648', -2_147_483_648],
    ],
    refused: [
      '',
      ' ',
      '10abc',
      '4.2',
      '4.0',
      '01',
      '-01',
      '+1',
      '1e3',
      '0x10',
      ' 1',
      '1 ',
      '1_000',
      '2147483648',
      '-2147483649',
      '99999999999999999999',
      'NaN',
      'Infinity',
      '--1',
      '-',
      '١',
    ],
  },
  {
    kind: 'bigint',
    path: 'serial',
    accepted: [
      ['-0', '0'],
      ...same('0', '1', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'),
    ],
    refused: [
      '',
      '1.0',
      '01',
      '+1',
      '1e3',
      '1n',
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551616',
      '99999999999999999999999',
      'NaN',
      ' 1',
    ],
  },
  {
    kind: 'decimal',
    path: 'price',
    accepted: [
      ['1.50', '1.5'],
      ['100', '100'],
      ['100.00', '100'],
      ['0.000', '0'],
      ['-0', '0'],
      ['-0.00', '0'],
      ['-0.10', '-0.1'],
      ...same('0', '0.1', '-12.345', '9007199254740993.1', '9'.repeat(65)),
      ...same(`${'9'.repeat(35)}.${'9'.repeat(30)}`, `-${'9'.repeat(35)}.${'9'.repeat(30)}`),
      [`0.${'0'.repeat(29)}1`, `0.${'0'.repeat(29)}1`],
    ],
    refused: [
      '',
      '.5',
      '5.',
      '+1',
      '01',
      '00.5',
      '1e3',
      '1E-3',
      '1,5',
      'NaN',
      'Infinity',
      '-',
      '1.2.3',
      '9'.repeat(66),
      `0.${'1'.repeat(31)}`,
      `${'9'.repeat(36)}.${'9'.repeat(30)}`,
      ' 1',
      '1 ',
    ],
  },
  {
    kind: 'boolean',
    path: 'sold',
    accepted: [
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ],
    refused: ['', 'TRUE', 'True', 'yes', 'on', 't', '2', '-1', '01', ' true'],
  },
  {
    kind: 'date',
    path: 'day',
    accepted: same('0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '2023-04-30'),
    refused: [
      '',
      '0000-01-01',
      '2023-02-29',
      '1900-02-29',
      '2024-02-30',
      '2023-04-31',
      '2023-13-01',

      '2023-00-10',
      '2023-01-00',
      '2023-1-1',
      '23-01-01',
      '2023/01/01',
      '20230101',
      '+2023-01-01',
      '10000-01-01',
      '2023-01-01T00:00:00Z',
      '2023-01-01 ',
      'today',
      '-001-01-01',
    ],
  },
  {
    kind: 'datetime',
    path: 'changedAt',
    accepted: [
      ['2024-03-04T05:06:07Z', '2024-03-04T05:06:07.000Z'],
      ['2024-03-04T05:06:07.8Z', '2024-03-04T05:06:07.800Z'],
      ['2024-03-04T05:06:07.123456Z', '2024-03-04T05:06:07.123456Z'],
      ['2024-03-04T05:06:07.1234Z', '2024-03-04T05:06:07.123400Z'],
      ['2024-03-04T05:06:07.123000Z', '2024-03-04T05:06:07.123Z'],
      ['2024-03-04T05:06:07.1234560000Z', '2024-03-04T05:06:07.123456Z'],
      ['2024-03-04T05:06:07.000000000Z', '2024-03-04T05:06:07.000Z'],
      ['2024-03-04T01:00:00+02:30', '2024-03-03T22:30:00.000Z'],
      ['2024-12-31T23:30:00-01:00', '2025-01-01T00:30:00.000Z'],
      ['2024-03-04T05:06:07+00:00', '2024-03-04T05:06:07.000Z'],
      ['2024-03-04T05:06:07-00:00', '2024-03-04T05:06:07.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ],
    refused: [
      '',
      '2024-03-04',
      '2024-03-04T05:06:07',
      '2024-03-04T05:06Z',
      '2024-03-04 05:06:07Z',
      '2024-02-30T00:00:00Z',
      '2024-03-04T24:00:00Z',
      '2024-03-04T23:60:00Z',
      '2024-03-04T23:59:60Z',
      '2024-03-04T05:06:07.Z',
      '2024-03-04T05:06:07.123456789Z',
      '2024-03-04T05:06:07.0000001Z',
      '9999-12-31T23:59:59.9999999+02:00',
      '2024-03-04T05:06:07z',
      '2024-03-04t05:06:07Z',
      '2024-03-04T05:06:07+0200',
      '2024-03-04T05:06:07+02',
      '2024-03-04T05:06:07+24:00',
      '2024-03-04T05:06:07+02:60',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '1700000000',
      'now',
      '0000-06-01T00:00:00Z',
    ],
  },
];

for (const { kind, path, accepted, refused } of table) {
  describe(`kind ${kind}`, () => {
    it('accepts, in canonical form', () => {
      for (const [text, canonical] of accepted) {
        expect([text, value(path, text)]).toEqual([text, canonical]);
      }
    });

    it('accepts its own results', () => {
      for (const [, canonical] of accepted) {
        expect(value(path, String(canonical))).toBe(canonical);
      }
    });

    it('refuses, naming path, operator and rule, never the value', () => {
      for (const text of refused) {
        const error = refusalOf(() => value(path, text));
        expect([text, error.code, error.status]).toEqual([text, 'FILTER_VALUE_INVALID', 400]);
        expect(error.details).toEqual({ path, operator: 'eq', rule: expect.any(String) });
        if (text.length > 5) expect(JSON.stringify(error)).not.toContain(text);
      }
    });

    it('applies the same checks to the items of a list', () => {
      const [[text, canonical] = ['', '']] = accepted.slice(-1);
      const quoted = (item: string) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`;
      expect(value(path, [text, text].map(quoted).join(), 'in')).toEqual([canonical, canonical]);
      for (const bad of refused.slice(0, 3)) {
        const list = [text, bad].map(quoted).join();
        expect(refusalOf(() => value(path, list, 'notIn')).code).toBe('FILTER_VALUE_INVALID');
      }
    });
  });
}

describe('text that no database stores', () => {
  const lone = ['\uD800', 'a\uDC00', '\uDC00\uD800', '😀\uD83D'];
  const code = (filter: object) => refusalOf(() => planQuery({ filter }, rules)).code;

  it('unpaired surrogates are refused under every text operator', () => {
    for (const text of lone) {
      for (const operator of ['eq', 'like', 'notLike', 'ilike', 'notIlike', 'gt']) {
        expect(code({ name: { [operator]: text } })).toBe('FILTER_VALUE_INVALID');
      }
      expect(code({ name: { in: ['a', text] } })).toBe('FILTER_VALUE_INVALID');
    }
  });

  it('NUL is refused under every text operator', () => {
    for (const operator of ['eq', 'like', 'ilike']) {
      expect(code({ name: { [operator]: 'a\0' } })).toBe('FILTER_VALUE_INVALID');
    }
    expect(code({ code: { like: 'a\0' } })).toBe('FILTER_VALUE_INVALID');
  });
});

describe('terms of text operators', () => {
  it('are literal text for every kind, and folded for ilike', () => {
    expect(value('name', '%A_É\\', 'like')).toBe('%A_É\\');
    expect(value('code', '6BA7', 'like')).toBe('6BA7');
    expect(value('state', 'NE', 'notLike')).toBe('NE');
    expect(value('name', ' A\u0301É ', 'ilike')).toBe(' áé ');
    expect(value('name', 'İJ\u030C', 'notIlike')).toBe('i̇ǰ');
    expect(value('name', '', 'like')).toBe('');
  });
});

describe('the flag of isNull', () => {
  it('is one of four words', () => {
    expect(['true', '1', 'false', '0'].map((text) => value('stock', text, 'isNull'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const text of ['', 'TRUE', 'null', '2']) {
      expect(refusalOf(() => value('stock', text, 'isNull')).code).toBe('FILTER_VALUE_INVALID');
    }
  });
});
