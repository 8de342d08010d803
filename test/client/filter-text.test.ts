import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildQuery, defineQueryRules, defineSchemaRegistry, planQuery } from '../../src/index.ts';
import type { FieldKind, OperatorName } from '../../src/index.ts';
import {
  type RulesDescription,
  describeRules,
  parseFilterText,
  printFilterText,
  suggest,
} from '../../src/client/index.ts';
import { operatorRow, operatorRows } from '../../src/rules/index.ts';
import { anyText } from '../any-text.ts';
import { equality, folded, order, text as exact } from '../matrix/corpus/rule.ts';
import { holds } from '../seed.ts';

const arrays = ['has', 'notHas', 'hasAny', 'notHasAny', 'hasAll', 'notHasAll', 'isEmpty'] as const;
const patterns = [...exact, ...folded] as const;
const members = ['created', 'failed', 'in progress', 'and', 'say "no"\\'] as const;

const field = (path: string, kind: FieldKind, more: object = {}) => ({
  path,
  kind,
  nullable: true,
  primaryKey: false,
  ...more,
});

const registry = defineSchemaRegistry([
  {
    model: 'job',
    primaryKey: ['id'],
    fields: [
      field('id', 'integer', { nullable: false, primaryKey: true }),
      field('name', 'string'),
      field('key', 'uuid'),
      field('state', 'enum', { enumValues: members }),
      field('attempts', 'integer'),
      field('size', 'bigint'),
      field('cost', 'decimal'),
      field('load', 'float'),
      field('dead', 'boolean'),
      field('day', 'date'),
      field('createdOn', 'datetime'),
      field('endedOn', 'datetime'),
      field('not', 'string'),
      field('topic', 'string[]'),
    ],
    relations: [
      { path: 'queue', target: 'job', cardinality: 'one', nullable: true },
      { path: 'labels', target: 'job', cardinality: 'many', nullable: false },
    ],
  },
]);

const rules = defineQueryRules(
  registry,
  'job',
  {
    filters: [
      { path: 'name', operators: [...equality, ...order, ...patterns, 'isNull'] },
      { path: 'key', operators: [...equality, 'like'] },
      { path: 'state', operators: [...equality, 'isNull'] },
      { path: 'attempts', operators: [...equality, ...order, 'isNull'] },
      { path: 'size', operators: [...equality, ...order] },
      { path: 'cost', operators: [...equality, ...order] },
      { path: 'load', operators: [...order] },
      { path: 'dead', operators: [...equality, 'isNull'] },
      { path: 'day', operators: [...equality, ...order] },
      { path: 'createdOn', operators: [...equality, ...order, 'isNull'] },
      { path: 'endedOn', operators: [...equality, ...order], wholeDays: true },
      { path: 'not', operators: ['eq'] },
      { path: 'queue.name', operators: ['eq'] },
      { path: 'topic', operators: [...arrays] },
      { path: 'labels', operators: ['isNull'] },
    ],
    fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
  },
  { families: ['postgresql'] },
);

// A client has the description from the wire.
const description = JSON.parse(JSON.stringify(describeRules(rules))) as RulesDescription;
const parsed = (text: string) => parseFilterText(description, text);
const filterOf = (text: string) => {
  const { filter, error } = parsed(text);
  expect(error).toBeNull();
  return filter;
};

describe('parseFilterText', () => {
  it('reads conditions of every operator', () => {
    expect(filterOf('state = failed and name ~ "charge"')).toEqual({
      state: { eq: 'failed' },
      name: { ilike: 'charge' },
    });
    const one: [string, object][] = [
      ['attempts != 3', { attempts: { ne: 3 } }],
      ['attempts <> 3', { attempts: { ne: 3 } }],
      ['attempts > 3 AND attempts<=-7', { attempts: { gt: 3, lte: -7 } }],
      ['attempts >= 3', { attempts: { gte: 3 } }],
      ['attempts<3', { attempts: { lt: 3 } }],
      ['attempts between 1 and 5', { attempts: { between: [1, 5] } }],
      ['state in (failed, "in progress")', { state: { in: ['failed', 'in progress'] } }],
      ['state Not In ()', { state: { notIn: [] } }],
      ['name like "50%"', { name: { like: '50%' } }],
      ['name not like _', { name: { notLike: '_' } }],
      ['name !~ x', { name: { notIlike: 'x' } }],
      ['name starts with "with"', { name: { startsWith: 'with' } }],
      ['name not starts with x', { name: { notStartsWith: 'x' } }],
      ['name Istarts With x', { name: { istartsWith: 'x' } }],
      ['name ends with x', { name: { endsWith: 'x' } }],
      ['name contains x', { name: { ilike: 'x' } }],
      ['name is null', { name: { isNull: true } }],
      ['name IS NOT NULL', { name: { isNull: false } }],
      ['labels is empty', { labels: { isNull: true } }],
      ['labels is not null', { labels: { isNull: false } }],
      ['name = "null"', { name: { eq: 'null' } }],
      ['name = ""', { name: { eq: '' } }],
      ['not = not_a_keyword', { not: { eq: 'not_a_keyword' } }],
      ['queue.name = x', { 'queue.name': { eq: 'x' } }],
      ['dead = 1', { dead: { eq: true } }],
      ['load < 2e-3', { load: { lt: 0.002 } }],
      ['size > 9007199254740993', { size: { gt: '9007199254740993' } }],
      ['cost = 1.50', { cost: { eq: '1.5' } }],
      ['day >= 2026-02-28', { day: { gte: '2026-02-28' } }],
      ['createdOn > 2026-01-31T13:00:00+01:00', { createdOn: { gt: '2026-01-31T12:00:00.000Z' } }],
      ['endedOn = 2026-01-31', { endedOn: { eq: '2026-01-31' } }],
      ['endedOn > 2026-01-31T12:00:00Z', { endedOn: { gt: '2026-01-31T12:00:00.000Z' } }],
      ['((attempts = 1) and (name = a))', { attempts: { eq: 1 }, name: { eq: 'a' } }],
      ['', {}],
      ['  ', {}],
    ];
    for (const [text, filter] of one) {
      expect([text, filterOf(text)]).toEqual([text, filter]);
    }
  });

  it('takes ~ for exact patterns where a path has no others', () => {
    expect(filterOf('key ~ a1')).toEqual({ key: { like: 'a1' } });
  });

  const at = (text: string) => {
    const { error } = parsed(text);
    return error && [error.code, text.slice(error.start, error.end), error.start];
  };

  it.each([
    ['nme = x', 'PATH_UNKNOWN', 'nme', 0],
    ['constructor = x', 'PATH_UNKNOWN', 'constructor', 0],
    ['= x', 'PATH_EXPECTED', '=', 0],
    ['name', 'OPERATOR_EXPECTED', '', 4],
    ['name is', 'OPERATOR_EXPECTED', 'is', 5],
    ['name x', 'OPERATOR_EXPECTED', 'x', 5],
    ['dead > true', 'OPERATOR_NOT_ALLOWED', '>', 5],
    ['labels is not', 'OPERATOR_EXPECTED', 'is not', 7],
    ['queue.name not in (a)', 'OPERATOR_NOT_ALLOWED', 'not in', 11],
    ['attempts =', 'VALUE_EXPECTED', '', 10],
    ['attempts = x', 'VALUE_INVALID', 'x', 11],
    ['attempts = 3000000000', 'VALUE_INVALID', '3000000000', 11],
    ['state = Failed', 'VALUE_INVALID', 'Failed', 8],
    ['day = 2026-02-30', 'VALUE_INVALID', '2026-02-30', 6],
    ['createdOn > 2026-01-31', 'VALUE_INVALID', '2026-01-31', 12],
    ['endedOn = 2026-02-30', 'VALUE_INVALID', '2026-02-30', 10],
    ['name = null', 'VALUE_EXPECTED', 'null', 7],
    ['attempts between 1', 'VALUE_EXPECTED', '', 18],
    ['attempts between 1, 2', 'VALUE_EXPECTED', ',', 18],
    ['state in failed', 'VALUE_EXPECTED', 'failed', 9],
    ['state in (failed', 'VALUE_EXPECTED', '', 16],
    ['state in (failed,)', 'VALUE_EXPECTED', ')', 17],
    ['name = "x', 'QUOTE_UNCLOSED', '"x', 7],
    ['name = a name = b', 'AND_EXPECTED', 'name', 9],
    ['name = a or name = b', 'OR_UNSUPPORTED', 'or', 9],
    ['name = a and', 'PATH_EXPECTED', '', 12],
    ['name = a and Not attempts = 3', 'NOT_UNSUPPORTED', 'Not', 13],
    ['name = a and name = b', 'CONDITION_REPEATED', 'name =', 13],
    ['name is null and name is not null', 'CONDITION_REPEATED', 'name is not null', 17],
    ['name is not null and name is empty', 'CONDITION_REPEATED', 'name is empty', 21],
    ['(name = a', 'PARENTHESIS_UNMATCHED', '(', 0],
    ['name = a)', 'PARENTHESIS_UNMATCHED', ')', 8],
  ] as const)('refuses %s at its place', (text, code, part, start) => {
    expect(at(text)).toEqual([code, part, start]);
  });

  it('lists what is accepted, and never repeats the value', () => {
    const { error } = parsed('state = SECRET');
    expect(error?.expected).toEqual([...members]);
    expect(error?.message).not.toContain('SECRET');
    expect(parsed('dead > true').error?.expected).toEqual([
      '=',
      '!=',
      'in',
      'not in',
      'is null',
      'is not null',
    ]);
  });

  it('holds the limits of the rules', () => {
    const small = {
      ...description,
      limits: { ...description.limits, maxFilters: 2, maxListLength: 2, maxTextLength: 3 },
    };
    const code = (text: string) => parseFilterText(small, text).error?.code;
    expect(code('name = abc and attempts = 1')).toBeUndefined();
    expect(code('name = abcd')).toBe('VALUE_INVALID');
    expect(code('name ~ abcd')).toBe('VALUE_INVALID');
    expect(code('attempts in (1, 2)')).toBeUndefined();
    expect(code('attempts in (1, 2, 3)')).toBe('LIST_TOO_LONG');
    expect(code('name = a and attempts = 1 and dead = true')).toBe('TOO_MANY_CONDITIONS');
  });

  it('ends any text with a filter or an error, in time that grows with its length', async () => {
    const pieces = fc.constantFrom(
      ...'name|state| |=|(|)|,|"|\'|\\|and|not|is|null|in|between|1|~|!|`|é|\n|__proto__|\ud800'.split(
        '|',
      ),
    );
    await holds(
      fc.property(fc.string({ unit: pieces, maxLength: 40 }), fc.nat(60), (text, caret) => {
        const { filter, error } = parsed(text);
        expect((filter === null) !== (error === null)).toBe(true);
        if (error) expect(error.start <= error.end && error.end <= text.length).toBe(true);
        const { start, end } = suggest(description, text, caret);
        expect(start <= end && end <= text.length).toBe(true);
      }),
      3000,
    );
    expect(parsed('('.repeat(100_000)).error?.code).toBe('PATH_EXPECTED');
    expect(parsed(`name = "${'\\'.repeat(100_001)}`).error?.code).toBe('QUOTE_UNCLOSED');
  });
});

/** Values of each path in canonical form, as a parse returns them. */
const text = fc
  .oneof(
    anyText({ maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...', "\'\\()=~!<>`'), maxLength: 6 }),
    fc.constantFrom('and', 'AND', 'null', 'in', 'not', 'is'),
  )
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value) => value + 0);
const date = fc.date({
  min: new Date('0001-01-02'),
  max: new Date('9999-12-30'),
  noInvalidDate: true,
});
const values: { readonly [path: string]: fc.Arbitrary<string | number | boolean> } = {
  name: text,
  key: fc.uuid(),
  state: fc.constantFrom(...members),
  attempts: int,
  size: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  cost: int.map(String),
  load: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  dead: fc.boolean(),
  day: date.map((value) => value.toISOString().slice(0, 10)),
  createdOn: date.map((value) => value.toISOString()),
  endedOn: date.map((value) => value.toISOString().slice(0, 10)),
  not: text,
  'queue.name': text,
  topic: text,
};

const condition = fc
  .constantFrom(
    ...description.filters.flatMap(({ path, operators }) =>
      operators.map((operator): [string, OperatorName] => [path, operator]),
    ),
  )
  .chain(([path, operator]) => {
    const value = operator.endsWith('ike') ? text : (values[path] ?? text);
    const operand: fc.Arbitrary<unknown> =
      operator === 'isNull' || operator === 'isEmpty'
        ? fc.boolean()
        : operator === 'between'
          ? fc.tuple(value, value)
          : operatorRow(operator).arity === 'list'
            ? fc.array(value, { maxLength: 4 })
            : value;
    return operand.map((given) => [path, operator, given] as const);
  });
const filters = fc.array(condition, { maxLength: 8 }).map((conditions) => {
  const filter: { [path: string]: { [operator: string]: unknown } } = {};
  for (const [path, operator, operand] of conditions) (filter[path] ??= {})[operator] = operand;
  return filter as Parameters<typeof printFilterText>[1];
});

describe('printFilterText', () => {
  it.each(['starts', 'istarts', 'ends', 'with', 'contains'])('quotes the value %s', (word) => {
    expect(printFilterText(description, { name: { eq: word } })).toBe(`name = "${word}"`);
  });

  it('is read back as the same filter, with the same plan', async () => {
    const used = new Set<string>();
    await holds(
      fc.property(filters, (filter) => {
        const written = printFilterText(description, filter);
        const { filter: read, error } = parsed(written);
        expect([written, error]).toEqual([written, null]);
        expect(read).toEqual(filter);
        const plan = (given: object) => planQuery(buildQuery({ filter: given } as never), rules);
        expect(plan(read as object).where).toEqual(plan(filter).where);
        for (const operands of Object.values(filter)) {
          for (const operator of Object.keys(operands ?? {})) used.add(operator);
        }
      }),
      3000,
    );
    expect([...used].toSorted()).toEqual(operatorRows.map(({ name }) => name).toSorted());
  });

  it('writes values of programs in canonical form', () => {
    expect(
      printFilterText(description, {
        name: { in: ['a', 'b c', ''], isNull: false, eq: undefined },
        size: { gt: 2n ** 60n },
        createdOn: { between: [new Date(0), '2026-01-01T00:00:00Z'] },
        labels: { isNull: true },
        attempts: undefined,
      }),
    ).toBe(
      'name in (a, "b c", "") and name is not null and size > 1152921504606846976 and ' +
        'createdOn between 1970-01-01T00:00:00.000Z and 2026-01-01T00:00:00Z and labels is empty',
    );
    expect(() => printFilterText(description, { name: { nope: 1 } as never })).toThrow(RangeError);
  });
});

describe('suggest', () => {
  it('takes any number as caret, and nothing else', () => {
    const path = suggest(description, 'na', 2);
    expect(path.items.length).toBeGreaterThan(0);
    for (const caret of [2.5, 9, Infinity]) {
      expect(suggest(description, 'na', caret)).toEqual(path);
    }
    expect(suggest(description, 'na', -Infinity)).toEqual(suggest(description, 'na', 0));
    for (const caret of [Number.NaN, null, undefined, '2']) {
      expect(() => suggest(description, 'na', caret as number)).toThrow(
        new TypeError('`caret` must be a number'),
      );
    }
  });

  /** The suggestions at `|`, and the text after the first of them is taken. */
  const at = (marked: string) => {
    const caret = marked.indexOf('|');
    const written = marked.replace('|', '');
    const { start, end, items } = suggest(description, written, caret);
    const [first] = items;
    return {
      texts: items.map((each) => each.text),
      taken: first && written.slice(0, start) + first.text + written.slice(end),
    };
  };

  it('names paths, operators, members and keywords', () => {
    expect(at('|').texts).toHaveLength(description.filters.length);
    expect(at('sta|').taken).toBe('state');
    expect(at('s|').texts).toEqual(['state', 'size', 'attempts', 'cost', 'labels']);
    expect(at('state |').texts).toEqual(['=', '!=', 'in', 'not in', 'is null', 'is not null']);
    expect(at('attempts >|').texts).toEqual(['>', '>=']);
    expect(at('state not |').taken).toBe('state not in');
    expect(at('state is n|').texts).toEqual(['is null', 'is not null']);
    expect(at('state = |').texts).toEqual([
      'created',
      'failed',
      '"in progress"',
      '"and"',
      '"say \\"no\\"\\\\"',
    ]);
    expect(at('state = fai|').taken).toBe('state = failed');
    expect(at('state = "in p|').taken).toBe('state = "in progress"');
    expect(at('dead = |').texts).toEqual(['true', 'false']);
    expect(at('state = failed |').texts).toEqual(['and']);
    expect(at('(state = failed |').texts).toEqual(['and', ')']);
    expect(at('state = failed and n|').texts[0]).toBe('name');
    expect(at('state in |').texts).toEqual(['(']);
    expect(at('state in (failed |').texts).toEqual([',', ')']);
    expect(at('state in (failed,|').taken).toBe('state in (failed,created');
    expect(at('state in (failed, c|').taken).toBe('state in (failed, created');
    expect(at('attempts between 1 |').texts).toEqual(['and']);
  });

  it('replaces the whole word in which the caret stands, and keeps what follows', () => {
    expect(at('sta|xx = failed').taken).toBe('state = failed');
    expect(at('state = fa|iled and dead = true').taken).toBe('state = failed and dead = true');
  });

  it('is empty where any text may stand, or the text before is wrong', () => {
    expect(at('name = |').texts).toEqual([]);
    expect(at('nope = |').texts).toEqual([]);
    expect(at('state = nope and |').texts).toEqual([]);
  });
});
