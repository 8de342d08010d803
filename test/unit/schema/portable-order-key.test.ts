/** `portableOrderKey`: for every kind, the byte order of the keys is the order of the values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableOrderKey } from '../../../src/schema/companion-values.ts';
import type { PortableOrderValue } from '../../../src/schema/companion-values.ts';
import { QueryError } from '../../../src/schema/query-error.ts';
import type { FieldDescriptor, FieldKind } from '../../../src/schema/types.ts';
import { anyText } from '../../any-text.ts';
import { holds } from '../../seed.ts';

const enumValues = [
  'zero',
  'ten',
  'Two',
  'one',
  'ONE',
  ...Array.from({ length: 20 }, (_, i) => `m${i}`),
];

function field(kind: FieldKind): FieldDescriptor {
  const base = { path: 'price', kind, nullable: true, primaryKey: false };
  return kind === 'enum' ? { ...base, enumValues } : base;
}

const key = (kind: FieldKind, value: PortableOrderValue) => portableOrderKey(field(kind), value);
const byBytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
const sign = (a: bigint | number, b: bigint | number) => (a < b ? -1 : a > b ? 1 : 0);

/** Asserts that keys of `kind` have the order that `compare` gives to the generated values. */
async function ordersAs<T>(
  kind: FieldKind,
  values: fc.Arbitrary<T>,
  compare: (a: T, b: T) => number,
  toValue: (value: T) => PortableOrderValue,
): Promise<void> {
  await holds(
    fc.property(values, values, (a, b) => {
      expect(byBytes(key(kind, toValue(a)), key(kind, toValue(b)))).toBe(compare(a, b));
    }),
    2000,
  );
}

/** A decimal as an integer count of 10^-30. */
const scale = 10n ** 30n;
function decimalText(units: bigint): string {
  const magnitude = units < 0n ? -units : units;
  const fraction = String(magnitude % scale)
    .padStart(30, '0')
    .replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${magnitude / scale}${fraction === '' ? '' : `.${fraction}`}`;
}
const most = 10n ** 65n - 1n;
const decimals = fc.oneof(
  fc.bigInt({ min: -most, max: most }),
  fc.bigInt({ min: -999n, max: 999n }).map((units) => units * 10n ** 28n),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -most, max: most }).map((units) => units * scale),
);

describe('portableOrderKey', () => {
  it('orders text by code point, also beyond the basic plane', async () => {
    const points = (text: string) => Array.from(text, (c) => c.codePointAt(0) ?? 0);
    const compare = (a: string, b: string) => {
      const [p, q] = [points(a), points(b)];
      const at = p.findIndex((point, i) => point !== q[i]);
      return at < 0 ? sign(p.length, q.length) : sign(p[at] ?? -1, q[at] ?? -1);
    };
    await ordersAs('string', anyText(), compare, (text) => text);
    expect(byBytes(key('string', '\u{1f600}'), key('string', '\ufffd'))).toBe(1);
  });

  it('orders uuids by their lower-case text', async () => {
    const compare = (a: string, b: string) => sign(BigInt(`0x${hex(a)}`), BigInt(`0x${hex(b)}`));
    const hex = (uuid: string) => uuid.replaceAll('-', '');
    await ordersAs('uuid', fc.uuid(), compare, (uuid) => uuid);
    expect(key('uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11')).toBe(
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    );
  });

  it('orders enum members by declared position, and keeps keys when members are appended', async () => {
    const positions = fc.nat({ max: enumValues.length - 1 });
    await ordersAs('enum', positions, sign, (position) => enumValues[position] ?? '');
    const longer = { ...field('enum'), enumValues: [...enumValues, ...'abcdefghij'] };
    expect(portableOrderKey(longer, 'Two')).toBe(key('enum', 'Two'));
  });

  it('orders 32-bit integers', async () => {
    const values = fc.oneof(fc.integer(), fc.integer({ min: -20, max: 20 }));
    await ordersAs('integer', values, sign, (value) => value);
    expect(key('integer', '-7')).toBe(key('integer', -7));
    expect(key('integer', -0)).toBe(key('integer', '-0'));
  });

  it('orders 64-bit integers, given as bigint, number or text', async () => {
    const values = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -20n, max: 20n }),
    );
    await ordersAs('bigint', values, sign, (value) => value);
    await ordersAs('bigint', values, sign, (value) => String(value));
    expect(key('bigint', 12)).toBe(key('bigint', '12'));
  });

  it('orders decimals of 65 digits, 30 of them after the point, negative and positive', async () => {
    await ordersAs('decimal', decimals, sign, decimalText);
  });

  it('gives equal decimals the same key', () => {
    for (const text of ['0', '-0', '0.000', '-0.0', '00', '-00', '-00.0'])
      expect(key('decimal', text)).toBe('100');
    expect(key('decimal', '12.50')).toBe(key('decimal', '0012.5'));
    expect(key('decimal', 12.5)).toBe(key('decimal', '12.5'));
    expect(key('decimal', -0)).toBe(key('decimal', 0n));
    expect(key('decimal', '-1.25') < key('decimal', '-1.2')).toBe(true);
  });

  it('orders decimals given as JavaScript numbers, also with an exponent', async () => {
    const numbers = fc.double({ min: -1e98, max: 1e98, noNaN: true });
    await ordersAs('decimal', numbers, sign, (value) => value);
    expect(key('decimal', 1e21)).toBe(key('decimal', '1000000000000000000000'));
    expect(key('decimal', -1.5e-7)).toBe(key('decimal', '-0.00000015'));
  });

  it('orders booleans, false first', async () => {
    await ordersAs(
      'boolean',
      fc.boolean(),
      (a, b) => sign(Number(a), Number(b)),
      (value) => value,
    );
    expect(key('boolean', 'false')).toBe(key('boolean', 0));
    expect(key('boolean', '1')).toBe(key('boolean', true));
  });

  it('orders dates', async () => {
    const days = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    const texts = days.map((day) => day.toISOString().slice(0, 10));
    await ordersAs(
      'date',
      texts,
      (a, b) => sign(Date.parse(a), Date.parse(b)),
      (text) => text,
    );
  });

  it('orders instants with any offset by time', async () => {
    const written = fc.tuple(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.integer({ min: -23 * 60, max: 23 * 60 }),
    );
    const text = ([instant, offset]: [Date, number]) => {
      const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const pad = (n: number) => String(n).padStart(2, '0');
      const size = Math.abs(offset);
      return `${local}${offset < 0 ? '-' : '+'}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
    };
    await ordersAs('datetime', written, ([a], [b]) => sign(a.getTime(), b.getTime()), text);
    expect(key('datetime', '2024-03-10T12:34:56Z')).toBe(
      key('datetime', '2024-03-10T12:34:56.000Z'),
    );
    expect(
      key('datetime', '2024-03-10T12:34:56Z') < key('datetime', '2024-03-10T12:34:56.000001Z'),
    ).toBe(true);
  });

  it.each<[FieldKind, PortableOrderValue]>([
    ['string', 7],
    ['uuid', 'a0eebc999c0b4ef8bb6d6bb9bd380a11'],
    ['enum', 'three'],
    ['enum', 'constructor'],
    ['enum', 1],
    ['integer', 2 ** 31],
    ['integer', -(2 ** 31) - 1],
    ['integer', 1.5],
    ['integer', ''],
    ['integer', true],
    ['bigint', '9223372036854775808'],
    ['bigint', '9'.repeat(400)],
    ['decimal', 'NaN'],
    ['decimal', Number.NaN],
    ['decimal', Number.POSITIVE_INFINITY],
    ['decimal', '1e'],
    ['decimal', '1e999999999'],
    ['decimal', '.5'],
    ['decimal', '9'.repeat(100)],
    ['boolean', 'yes'],
    ['boolean', 2],
    ['date', '2024-02-30'],
    ['date', '0000-01-01'],
    ['date', '2024-1-1'],
    ['datetime', '2024-03-10T12:34:56'],
    ['datetime', '2024-03-10 12:34:56Z'],
    ['datetime', '2024-03-10T24:00:00Z'],
    ['datetime', '9999-12-31T23:59:59-01:00'],
    ['datetime', '0001-01-01T00:00:00+01:00'],
  ])('refuses for %s the value %j, naming the path and not the value', (kind, value) => {
    const thrown = caught(() => key(kind, value));
    expect(thrown.code).toBe('FILTER_VALUE_INVALID');
    expect(thrown.message).toBe(`The value for "price" is not a valid ${kind}.`);
    expect(thrown.details).toEqual({ path: 'price', kind });
  });

  it.each<FieldKind>(['json', 'binary'])('refuses %s, which has no order', (kind) => {
    expect(caught(() => key(kind, 'x')).code).toBe('CAPABILITY_UNAVAILABLE');
  });
});

function caught(run: () => unknown): QueryError {
  try {
    run();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
