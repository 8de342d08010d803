import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OperatorName,
  type Predicate,
  defineQueryRules,
  defineSchemaRegistry,
  planQuery,
} from '../../../src/index.ts';
import { holds } from '../../seed.ts';
import { refusalOf } from '../refusal.ts';

const registry = defineSchemaRegistry([
  {
    model: 'visit',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'at', kind: 'datetime', nullable: false, primaryKey: false },
      { path: 'on', kind: 'date', nullable: false, primaryKey: false },
    ],
    relations: [],
  },
]);
const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'notIn'] as const;
const fields = 'all';
const rules = defineQueryRules(registry, 'visit', {
  filters: [{ path: 'at', operators, wholeDays: true }],
  fields,
});

/** Microseconds of an instant in canonical form. */
const micros = (text: string): bigint => {
  const rest = text.slice(23, -1).padEnd(3, '0');
  return BigInt(Date.parse(`${text.slice(0, 23)}Z`)) * 1000n + BigInt(rest);
};

/** Whether an instant satisfies a predicate, by the meaning of the operators alone. */
function satisfies(at: bigint, predicate: Predicate | null): boolean {
  if (predicate === null) return true;
  if (predicate.type !== 'condition') {
    const all = predicate.predicates.map((part) => satisfies(at, part));
    return predicate.type === 'and' ? all.every(Boolean) : all.some(Boolean);
  }
  const values = [predicate.value].flat().map((value) => micros(String(value)));
  const [low = 0n, high = 0n] = values;
  const meanings: { readonly [Name in OperatorName]?: boolean } = {
    eq: at === low,
    ne: at !== low,
    gt: at > low,
    gte: at >= low,
    lt: at < low,
    lte: at <= low,
    between: at >= low && at <= high,
    in: values.includes(at),
    notIn: !values.includes(at),
  };
  return meanings[predicate.operator] ?? false;
}

/** The same of days: a calendar without instants. */
function onDay(day: string, operator: OperatorName, days: readonly string[]): boolean {
  const [low = '', high = ''] = days;
  const meanings: { readonly [Name in OperatorName]?: boolean } = {
    eq: day === low,
    ne: day !== low,
    gt: day > low,
    gte: day >= low,
    lt: day < low,
    lte: day <= low,
    between: day >= low && day <= high,
    in: days.includes(day),
    notIn: !days.includes(day),
  };
  return meanings[operator] ?? false;
}

const epoch = (day: number) => new Date(Date.UTC(2020, 1, 20) + day * 86_400_000);
const dayOf = (day: number) => epoch(day).toISOString().slice(0, 10);
const someDay = fc.integer({ min: 0, max: 20 });
const edges = [
  '00:00:00.000Z',
  '00:00:00.000001Z',
  '12:30:00.5Z',
  '23:59:59.999Z',
  '23:59:59.999999Z',
];

describe('whole days on instants', () => {
  it('mean what they mean on dates', async () => {
    await holds(
      fc.property(
        fc.constantFrom(...operators),
        fc.array(someDay, { minLength: 2, maxLength: 12 }),
        someDay,
        fc.constantFrom(...edges),
        (operator, several, day, edge) => {
          const one = operator !== 'between' && operator !== 'in' && operator !== 'notIn';
          const count = one ? 1 : operator === 'between' ? 2 : several.length;
          const days = several.slice(0, count).map(dayOf);
          const { where } = planQuery(`filter[at][${operator}]=${days.join()}`, rules);
          const at = micros(
            new Date(`${dayOf(day)}T00:00:00Z`)
              .toISOString()
              .replace(/T.*/, `T${edge.length === 11 ? edge.replace('Z', '00Z') : edge}`),
          );
          expect(satisfies(at, where)).toBe(onDay(dayOf(day), operator, days));
        },
      ),
      2000,
    );
  });

  it('mean so at the edges of the day before, of the day itself, and of the day after', () => {
    const [before, day, after] = ['2020-02-28', '2020-02-29', '2020-03-01'] as const;
    const values = { between: [day, day], in: [day], notIn: [day] };
    for (const operator of operators) {
      const days: readonly string[] = Object.entries(values).find(
        ([name]) => name === operator,
      )?.[1] ?? [day];
      const { where } = planQuery(`filter[at][${operator}]=${days.join()}`, rules);
      for (const of of [before, day, after]) {
        for (const edge of edges) {
          const text = `${of}T${edge.length === 11 ? edge.replace('Z', '00Z') : edge}`;
          const found = satisfies(micros(text), where);
          expect([operator, text, found]).toEqual([operator, text, onDay(of, operator, days)]);
        }
      }
    }
  });

  it('are one condition where the days follow each other', () => {
    const { where } = planQuery('filter[at][in]=2020-02-28,2020-03-01,2020-02-29', rules);
    expect(where).toMatchObject({
      operator: 'between',
      value: ['2020-02-28T00:00:00.000Z', '2020-03-01T23:59:59.999999Z'],
    });
  });

  it('are as many in a list as the rules allow', () => {
    const limited = defineQueryRules(
      registry,
      'visit',
      { filters: [{ path: 'at', operators, wholeDays: true }], fields },
      { limits: { maxListLength: 3 } },
    );
    for (const operator of ['in', 'notIn']) {
      const days = (count: number) => Array.from({ length: count }, (_, day) => dayOf(day)).join();
      const ask = (count: number) => planQuery(`filter[at][${operator}]=${days(count)}`, limited);
      expect(ask(3).where).not.toBeNull();
      expect(refusalOf(() => ask(4))).toMatchObject({
        code: 'FILTER_VALUE_INVALID',
        details: { path: 'at', operator, rule: 'at most 3 values' },
      });
    }
  });

  it.each(['2020-02-30', '20200230', '2020-2-3', '0000-01-01', '2020-01-01T', '+2020-01-01'])(
    'refuse %s',
    (day) => {
      for (const operator of operators) {
        const value = operator === 'between' ? `${day},2020-01-01` : day;
        expect(() =>
          planQuery(`filter[at][${operator}]=${encodeURIComponent(value)}`, rules),
        ).toThrow('a whole day in UTC as YYYY-MM-DD');
      }
    },
  );

  it('need a path of instants', () => {
    const declare = (path: string) =>
      defineQueryRules(registry, 'visit', {
        filters: [{ path, operators: ['eq'], wholeDays: true }],
        fields,
      });
    expect(refusalOf(() => declare('on'))).toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      details: { rule: 'filters', path: 'on' },
    });
    expect(refusalOf(() => declare('on')).message).toContain(
      'wholeDays applies to datetime fields',
    );
  });
});
