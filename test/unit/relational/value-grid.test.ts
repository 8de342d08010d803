import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlite } from '../../../src/relational/index.ts';
import { type OperatorName, operatorRow } from '../../../src/rules/index.ts';
import { planQuery } from '../../../src/index.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { statementsOf } from './statements.ts';
import { holds } from '../../seed.ts';
import { onGrid as grid } from '../../../src/relational/databases/sqlite/dialect.ts';

const scale = 80;

/** The decimal as a whole number of 10^-80. */
function exact(text: string): bigint {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(scale, '0'));
  return negative ? -digits : digits;
}

/** The operand as an operator binds it. */
function onGrid(text: string, operator: OperatorName): number {
  const row = operatorRow(operator);
  return grid(text, row.comparison === 'order' ? row.rounds : 'never');
}

/** Comparison of a stored value with an operand, as doubles and as exact decimals. */
const tests = {
  eq: (stored: number | bigint, value: number | bigint) => stored === value,
  ne: (stored: number | bigint, value: number | bigint) => stored !== value,
  gt: (stored: number | bigint, value: number | bigint) => stored > value,
  gte: (stored: number | bigint, value: number | bigint) => stored >= value,
  lt: (stored: number | bigint, value: number | bigint) => stored < value,
  lte: (stored: number | bigint, value: number | bigint) => stored <= value,
};
const operators = Object.keys(tests) as (keyof typeof tests)[];

/** Writes digits with a decimal point, as the kind's canonical text does. */
function decimal(digits: string, fractionDigits: number, negative: boolean): string {
  const padded = digits.padStart(fractionDigits + 1, '0');
  const at = padded.length - fractionDigits;
  const whole = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const fraction = padded.slice(at).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

const digitsOf = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength })
    .map((list) => list.join(''));

/** A stored decimal of at most 15 digits. */
const stored = fc
  .tuple(digitsOf(15), fc.integer({ min: 0, max: 25 }), fc.boolean())
  .map(([digits, fraction, negative]) => decimal(digits, fraction, negative));

/** An operand of up to 65 digits: any, or one that begins as the stored value does. */
const operand = (near: string) =>
  fc.oneof(
    fc
      .tuple(digitsOf(35), fc.integer({ min: 0, max: 30 }), fc.boolean())
      .map(([digits, fraction, negative]) => decimal(digits, fraction, negative)),
    digitsOf(12).map((tail) => {
      const text = near.includes('.') ? near + tail : `${near}.${tail}`;
      const trimmed = text.replace(/\.?0+$/, '');
      return trimmed === '-0' || trimmed === '' || trimmed === '-' ? '0' : trimmed;
    }),
    fc.constant(near),
  );

const pair = stored.chain((column) => operand(column).map((value) => [column, value] as const));

describe('onGrid', () => {
  it('compares with every stored decimal of 15 digits as the exact value would', async () => {
    await holds(
      fc.property(pair, ([column, value]) => {
        for (const operator of operators) {
          const test = tests[operator];
          const onDoubles = test(Number(column), onGrid(value, operator));
          const inTruth = test(exact(column), exact(value));
          expect([column, operator, value, onDoubles]).toEqual([column, operator, value, inTruth]);
        }
      }),
      5000,
    );
  });

  it('keeps values that a double holds, and rounds others in the direction of the operator', () => {
    expect(onGrid('123456789012345', 'gt')).toBe(123_456_789_012_345);
    expect(onGrid('0.000123456789012345', 'eq')).toBe(0.000_123_456_789_012_345);
    expect(onGrid('1200000000000000000000', 'eq')).toBe(1.2e21);
    expect(onGrid('1.0000000000000001', 'eq')).toBe(Number.MAX_VALUE);
    expect(onGrid('1.0000000000000001', 'ne')).toBe(Number.MAX_VALUE);
    expect(onGrid('1.0000000000000001', 'gt')).toBe(1);
    expect(onGrid('1.0000000000000001', 'gte')).toBe(1.000_000_000_000_01);
    expect(onGrid('-1.0000000000000001', 'lt')).toBe(-1);
    expect(onGrid('-1.0000000000000001', 'lte')).toBe(-1.000_000_000_000_01);
    expect(onGrid('9.999999999999999', 'lt')).toBe(10);
  });

  it('keeps the text of a double, as computed values are shown', () => {
    for (const operator of operators) {
      expect(onGrid('0.30000000000000004', operator)).toBe(0.1 + 0.2);
      expect(onGrid('-0.00000000000000012345678901234568', operator)).toBe(
        -1.234_567_890_123_456_8e-16,
      );
      expect(onGrid('1234567890123456800', operator)).toBe(1_234_567_890_123_456_800);
    }
  });
});

describe('a list with a decimal that no column can hold', () => {
  const matches = (operator: string, list: string) => {
    const plan = planQuery(`filter[price][${operator}]=${list}&fields=price`, shopRules());
    const [{ text, values } = { text: '', values: [] }] = statementsOf(shopContext(sqlite), plan);
    const database = new Database(':memory:');
    database.exec('create table articles (id integer primary key, price numeric(20, 5))');
    database.exec('insert into articles (price) values (null), (1.5), (2)');
    const rows = database.prepare(text).pluck().all(values);
    database.close();
    return rows;
  };

  it('matches the others, and never null', () => {
    const beyond = '1.500000000000000001';
    expect(matches('in', beyond)).toEqual([]);
    expect(matches('in', `${beyond},1.5`)).toEqual([1.5]);
    expect(matches('notIn', beyond)).toEqual([1.5, 2]);
    expect(matches('notIn', `${beyond},2`)).toEqual([1.5]);
    expect(matches('notIn', '')).toEqual([null, 1.5, 2]);
  });
});
