/** Filters as text beyond a conjunction: `or`, `not`, parentheses, quantifiers, and times that are told from now. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildQuery, defineQueryRules, defineSchemaRegistry, planQuery } from '../../src/index.ts';
import type { FieldKind } from '../../src/index.ts';
import {
  type RulesDescription,
  type TextFilter,
  describeRules,
  parseFilterText,
  printFilterText,
  suggest,
} from '../../src/client/index.ts';
import { holds } from '../seed.ts';

const field = (path: string, kind: FieldKind, primaryKey = false) => ({
  path,
  kind,
  nullable: !primaryKey,
  primaryKey,
});

const registry = defineSchemaRegistry([
  {
    model: 'user',
    primaryKey: ['id'],
    fields: [
      field('id', 'integer', true),
      field('name', 'string'),
      field('age', 'integer'),
      field('not', 'string'),
      field('born', 'date'),
      field('seenAt', 'datetime'),
      field('endedOn', 'datetime'),
    ],
    relations: [
      { path: 'boss', target: 'user', cardinality: 'one', nullable: true },
      { path: 'posts', target: 'post', cardinality: 'many', nullable: false },
    ],
  },
  {
    model: 'post',
    primaryKey: ['id'],
    fields: [field('id', 'integer', true), field('title', 'string'), field('live', 'boolean')],
    relations: [{ path: 'notes', target: 'note', cardinality: 'many', nullable: false }],
  },
  {
    model: 'note',
    primaryKey: ['id'],
    fields: [field('id', 'integer', true), field('text', 'string')],
    relations: [],
  },
]);

const times = ['eq', 'gt', 'gte', 'lt', 'lte', 'between', 'in'] as const;
const rules = defineQueryRules(
  registry,
  'user',
  {
    filters: [
      { path: 'name', operators: ['eq', 'in', 'notIn', 'like', 'isNull'] },
      { path: 'age', operators: ['eq', 'ne', 'gte', 'between'] },
      { path: 'not', operators: ['eq', 'notIn'] },
      { path: 'born', operators: times },
      { path: 'seenAt', operators: times },
      { path: 'endedOn', operators: times, wholeDays: true },
      { path: 'boss.name', operators: ['eq'] },
      { path: 'posts', operators: ['isNull'] },
      { path: 'posts.title', operators: ['eq', 'like'] },
      { path: 'posts.live', operators: ['eq'] },
      { path: 'posts.notes.text', operators: ['eq'] },
    ],
    groups: { depth: 3, terms: 12 },
    quantifiers: ['posts', { path: 'posts.notes', quantifiers: ['some', 'none'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
  },
  { families: ['postgresql'], limits: { maxFilters: 14, cost: 100_000 } },
);
const description = JSON.parse(JSON.stringify(describeRules(rules))) as RulesDescription;
const { groups: _groups, quantifiers: _quantifiers, ...others } = description;
const plain: RulesDescription = others;

const filterOf = (text: string, of = description): TextFilter => {
  const { filter, error } = parseFilterText(of, text);
  expect([text, error]).toEqual([text, null]);
  return filter ?? {};
};
const at = (text: string, of = description) => {
  const { error } = parseFilterText(of, text);
  return error && [error.code, text.slice(error.start, error.end), error.start];
};

describe('parseFilterText', () => {
  const a = { name: { eq: 'a' } };
  const b = { age: { eq: 1 } };
  const c = { 'boss.name': { eq: 'c' } };
  it.each<[string, TextFilter]>([
    ['name = a or age = 1', { $or: [a, b] }],
    ['name = a or age = 1 or boss.name = c', { $or: [a, b, c] }],
    ['name = a or (age = 1 OR boss.name = c)', { $or: [a, b, c] }],
    ['name = a and (age = 1 or boss.name = c)', { ...a, $or: [b, c] }],
    ['name = a and age = 1 or boss.name = c', { $or: [{ ...a, ...b }, c] }],
    ['((name = a)) and ((age = 1))', { ...a, ...b }],
    ['Not name = a', { $not: a }],
    ['not name = a and age = 1', { $not: a, ...b }],
    ['not (name = a and age = 1)', { $not: { ...a, ...b } }],
    ['not (name = a or age = 1)', { $not: { $or: [a, b] } }],
    ['not not name = a', { $not: { $not: a } }],
    ['not name = a and not age = 1', { $not: a, $and: [{ $not: b }] }],
    [
      'name = a and name = b and age = 1 and name = c',
      { ...a, ...b, $and: [{ name: { eq: 'b' } }, { name: { eq: 'c' } }] },
    ],
    ['(name = a or age = 1) and (age = 1 or name = a)', { $or: [a, b], $and: [{ $or: [b, a] }] }],
    [
      'posts.some(live = true) and posts.some(not not (title = x or live = false))',
      {
        $and: [{ posts: { $some: { live: { eq: true } } } }],
        posts: {
          $some: { $not: { $not: { $or: [{ title: { eq: 'x' } }, { live: { eq: false } }] } } },
        },
      },
    ],
    ['not = x', { not: { eq: 'x' } }],
    ['not not = x', { $not: { not: { eq: 'x' } } }],
    ['not (not = x)', { $not: { not: { eq: 'x' } } }],
    ['not not in (x)', { not: { notIn: ['x'] } }],
    [
      'age between 1 and 2 and name = a or age = 1',
      { $or: [{ age: { between: [1, 2] }, ...a }, b] },
    ],
    ['posts.some(title = x)', { posts: { $some: { title: { eq: 'x' } } } }],
    [
      'posts.some (title ~ x and live = true) and posts is not empty',
      { posts: { $some: { title: { like: 'x' }, live: { eq: true } }, isNull: false } },
    ],
    [
      'not posts.every(live = true or title = x)',
      { $not: { posts: { $every: { $or: [{ live: { eq: true } }, { title: { eq: 'x' } }] } } } },
    ],
    [
      'posts.none(notes.some(text = x)) or posts.some(notes.text = y)',
      {
        $or: [
          { posts: { $none: { notes: { $some: { text: { eq: 'x' } } } } } },
          { posts: { $some: { 'notes.text': { eq: 'y' } } } },
        ],
      },
    ],
    [
      'posts.some(title = x) and posts.some(title = y)',
      {
        posts: { $some: { title: { eq: 'x' } } },
        $and: [{ posts: { $some: { title: { eq: 'y' } } } }],
      },
    ],
  ])('reads %s', (text, filter) => {
    expect(filterOf(text)).toEqual(filter);
    expect(planQuery(buildQuery({ filter }), rules).where).not.toBeNull();
  });

  it.each([
    ['name = a or', 'PATH_EXPECTED', '', 11],
    ['or name = a', 'PATH_UNKNOWN', 'or', 0],
    ['name = a or or age = 1', 'PATH_UNKNOWN', 'or', 12],
    ['name = a or (age = 1', 'PARENTHESIS_UNMATCHED', '(', 12],
    ['name = a or age = 1)', 'PARENTHESIS_UNMATCHED', ')', 19],
    ['name = a or ()', 'PATH_EXPECTED', ')', 13],
    ['name = a xor age = 1', 'AND_EXPECTED', 'xor', 9],
    ['not', 'PATH_EXPECTED', '', 3],
    ['not and', 'PATH_UNKNOWN', 'and', 4],
    ['name = a and not (not (not (not name = a)))', 'TOO_DEEP', 'not (not', 13],
    ['not not not not name = a', 'TOO_DEEP', 'not', 12],
    ['posts.some()', 'PATH_EXPECTED', ')', 11],
    ['posts.some(name = a)', 'PATH_UNKNOWN', 'name', 11],
    ['posts.any(title = a)', 'PATH_UNKNOWN', 'posts.any', 0],
    ['posts.notes.some(text = a)', 'PATH_UNKNOWN', 'posts.notes.some', 0],
    ['posts.some(notes.every(text = a))', 'OPERATOR_NOT_ALLOWED', 'notes.every', 11],
    ['posts.some(title = a', 'PARENTHESIS_UNMATCHED', '(', 10],
    ['posts.some title = a', 'PATH_UNKNOWN', 'posts.some', 0],
    ['seenAt > now - 5y', 'VALUE_INVALID', 'now - 5y', 9],
    ['seenAt > now -', 'VALUE_INVALID', 'now -', 9],
    ['seenAt > 25:00', 'VALUE_INVALID', '25:00', 9],
    ['seenAt > 10:75', 'VALUE_INVALID', '10:75', 9],
    ['seenAt > "now"', 'VALUE_INVALID', '"now"', 9],
    ['seenAt = 1h', 'VALUE_INVALID', '1h', 9],
    ['seenAt > now - 999999999w', 'VALUE_INVALID', 'now - 999999999w', 9],
    ['seenAt > now + 999999w', 'VALUE_INVALID', 'now + 999999w', 9],
    ['age >= now', 'VALUE_INVALID', 'now', 7],
  ] as const)('refuses %s at its place', (text, code, part, start) => {
    const found = at(text);
    expect(found?.[0]).toBe(code);
    expect(String(found?.[1]).startsWith(part)).toBe(true);
    expect(found?.[2]).toBe(start);
  });

  it('has the limits of the rules', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => `age = ${n}`).join(' or ');
    expect(at(many(12))).toBeNull();
    expect(at(many(13))).toEqual(['TOO_MANY_CONDITIONS', 'age =', many(12).length + 4]);
    expect(at(`${many(12)} or ${many(3)}`)?.[0]).toBe('TOO_MANY_CONDITIONS');
    const deep = '(name = a or not (age = 1 or not name = b))';
    expect(at(deep)?.[0]).toBe('TOO_DEEP');
    expect(at('not (name = a and name = b or age = 1)')).toBeNull();
    expect(at('not (name = a and name = b or not age = 1)')).toBeNull();
    expect(at('not (age = 1 or not (name = a and name = b))')?.[0]).toBe('TOO_DEEP');
  });

  it('refuses groups where the rules have none, and says so', () => {
    expect(at('name = a or age = 1', plain)).toEqual(['OR_UNSUPPORTED', 'or', 9]);
    expect(at('not name = a', plain)).toEqual(['NOT_UNSUPPORTED', 'not', 0]);
    expect(at('name = a and name = b', plain)).toEqual(['CONDITION_REPEATED', 'name =', 13]);
    expect(at('posts.some(title = a)', plain)?.[0]).toBe('PATH_UNKNOWN');
    expect(suggest(plain, 'name = a ', 9).items.map(({ text }) => text)).toEqual(['and']);
  });

  const now = new Date('2026-03-01T10:20:30.400Z');
  it.each([
    ['seenAt > now', { seenAt: { gt: '2026-03-01T10:20:30.400Z' } }],
    ['seenAt > now - 1h', { seenAt: { gt: '2026-03-01T09:20:30.400Z' } }],
    ['seenAt > NOW-90m', { seenAt: { gt: '2026-03-01T08:50:30.400Z' } }],
    ['seenAt > now -1h30m', { seenAt: { gt: '2026-03-01T08:50:30.400Z' } }],
    ['seenAt < now + 1w', { seenAt: { lt: '2026-03-08T10:20:30.400Z' } }],
    ['seenAt >= today', { seenAt: { gte: '2026-03-01T00:00:00.000Z' } }],
    ['seenAt >= today - 1d', { seenAt: { gte: '2026-02-28T00:00:00.000Z' } }],
    [
      'seenAt between 9:00 and 10:15',
      { seenAt: { between: ['2026-03-01T09:00:00.000Z', '2026-03-01T10:15:00.000Z'] } },
    ],
    ['seenAt >= 23:30 - 1d', { seenAt: { gte: '2026-02-28T23:30:00.000Z' } }],
    ['seenAt < 1h', { seenAt: { gt: '2026-03-01T09:20:30.400Z' } }],
    ['seenAt <= 500ms', { seenAt: { gte: '2026-03-01T10:20:29.900Z' } }],
    ['seenAt > 2d', { seenAt: { lt: '2026-02-27T10:20:30.400Z' } }],
    ['seenAt >= 2d', { seenAt: { lte: '2026-02-27T10:20:30.400Z' } }],
    [
      'seenAt between 10m and 1h',
      { seenAt: { between: ['2026-03-01T09:20:30.400Z', '2026-03-01T10:10:30.400Z'] } },
    ],
    [
      'seenAt in (now, today)',
      { seenAt: { in: ['2026-03-01T10:20:30.400Z', '2026-03-01T00:00:00.000Z'] } },
    ],
    ['born >= now - 7d', { born: { gte: '2026-02-22' } }],
    ['born < 7d', { born: { gt: '2026-02-22' } }],
    ['endedOn = today', { endedOn: { eq: '2026-03-01' } }],
    ['endedOn >= today - 1d', { endedOn: { gte: '2026-02-28' } }],
    ['endedOn >= today - 1h', { endedOn: { gte: '2026-02-28T23:00:00.000Z' } }],
    ['name = now', { name: { eq: 'now' } }],
    ['name = 1h', { name: { eq: '1h' } }],
  ])('tells times from now: %s', (text, filter) => {
    expect(parseFilterText(description, text, now).filter).toEqual(filter);
  });

  it('tells days and times of a day where its reader is', () => {
    const read = (text: string, utcOffset: number) =>
      parseFilterText(description, text, now, utcOffset).filter;
    expect(read('seenAt >= today', 14 * 60)).toEqual({
      seenAt: { gte: '2026-03-01T10:00:00.000Z' },
    });
    expect(read('born = today', 14 * 60)).toEqual({ born: { eq: '2026-03-02' } });
    expect(read('seenAt >= 10:15', -90)).toEqual({ seenAt: { gte: '2026-03-01T11:45:00.000Z' } });
    expect(read('seenAt > now - 1h', -90)).toEqual(read('seenAt > now - 1h', 0));
    const before = Date.now();
    const { seenAt } = filterOf('seenAt >= now') as { seenAt: { gte: string } };
    expect(Date.parse(seenAt.gte)).toBeGreaterThanOrEqual(before);
  });

  it('ends any text of its words with a filter or an error, and suggests within it', async () => {
    const parts = `name age not and or ( ) = in 1 posts.some notes.none title text , posts.every( seenAt > now - 1h
      between "`;
    const words = fc.constantFrom(...parts.split(/\s+/), ' ');
    await holds(
      fc.property(fc.array(words, { maxLength: 20 }), fc.nat(120), (chosen, caret) => {
        const text = chosen.join(' ');
        const { filter, error } = parseFilterText(description, text);
        if (error) expect(error.start <= error.end && error.end <= text.length).toBe(true);
        else expect(filterOf(printFilterText(description, filter))).toEqual(filter);
        const { start, end } = suggest(description, text, caret);
        expect(start <= end && end <= text.length).toBe(true);
      }),
      5000,
    );
  });
});

/** Texts of the grammar. */
const value = fc.constantFrom('a', 'b', '"or"', '"x y"', '"not"', '"("');
const { text: grammar } = fc.letrec<{ text: string; rows: string }>((tie) => {
  const conditions = fc.oneof(
    value.map((each) => `name = ${each}`),
    value.map((each) => `not = ${each}`),
    fc.nat(9).map((each) => `age >= ${each}`),
    fc.constant('posts is empty'),
  );
  const ofRows = fc.oneof(
    value.map((each) => `title = ${each}`),
    fc.constant('live = true'),
    value.map((each) => `notes.some(text = ${each})`),
  );
  const nested = (name: 'text' | 'rows', leaf: fc.Arbitrary<string>) => {
    const inner = tie(name);
    return fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(inner, inner).map(([one, other]) => `(${one} or ${other})`),
      fc.tuple(inner, inner).map(([one, other]) => `${one} and ${other}`),
      inner.map((each) => `not (${each})`),
      inner.map((each) => `(${each})`),
    );
  };
  return {
    rows: nested('rows', ofRows),
    text: nested(
      'text',
      fc.oneof(
        { weight: 3, arbitrary: conditions },
        fc
          .tuple(fc.constantFrom('some', 'every', 'none'), tie('rows'))
          .map(([name, rows]) => `posts.${name}(${rows})`),
      ),
    ),
  };
});

describe('printFilterText', () => {
  it('is read back as the same filter, and is stable', async () => {
    let read = 0;
    await holds(
      fc.property(grammar, (text) => {
        const { filter, error } = parseFilterText(description, text);
        if (error) {
          expect(['TOO_DEEP', 'TOO_MANY_CONDITIONS']).toContain(error.code);
          return;
        }
        read += 1;
        const printed = printFilterText(description, filter);
        expect([printed, filterOf(printed)]).toEqual([printed, filter]);
        expect(printFilterText(description, filterOf(printed))).toBe(printed);
      }),
      3000,
    );
    expect(read).toBeGreaterThan(50);
  });

  it('counts alternatives in parentheses beside others as one group', () => {
    const twice = '((age >= 0 or posts is empty) or name = a)';
    const once = '(age >= 0 or posts is empty or name = a)';
    const more = ' and age >= 0 and (not (not = a) or not = a)';
    expect(filterOf(twice + more)).toEqual(filterOf(once + more));
  });

  it('writes what programs write', () => {
    const printed = (filter: object) => printFilterText(description, filter as never);
    expect(printed({ name: 'a', age: undefined, seenAt: new Date(0) })).toBe(
      'name = a and seenAt = 1970-01-01T00:00:00.000Z',
    );
    expect(printed({ $or: [{ name: 'a', age: 1 }, { $or: [{ age: 2 }, { age: 3 }] }] })).toBe(
      '(name = a and age = 1) or age = 2 or age = 3',
    );
    expect(printed({ $not: { $not: { name: 'a' } }, $or: [{ age: 1 }, {}, { age: 2 }] })).toBe(
      'not (not name = a) and (age = 1 or age = 2)',
    );
    expect(printed({ $not: { not: 'x' } })).toBe('not (not = x)');
    expect(printed({ $and: [{ name: 'a' }], name: 'b' })).toBe('name = b and name = a');
    expect(printed({ $or: [], $and: [{}], $not: {}, posts: { $some: {} } })).toBe('');
    expect(printed({ posts: { isNull: false, $some: { notes: { $none: { text: 'x' } } } } })).toBe(
      'posts is not empty and posts.some(notes.none(text = x))',
    );
  });
});

describe('suggest', () => {
  const texts = (marked: string) => {
    const caret = marked.indexOf('|');
    return suggest(description, marked.replace('|', ''), caret).items.map(({ text }) => text);
  };

  it('names what joins, negates and asks of rows', () => {
    expect(texts('name = a |')).toEqual(['and', 'or']);
    expect(texts('(name = a |')).toEqual(['and', 'or', ')']);
    expect(texts('name = a o|')).toEqual(['or']);
    expect(texts('pos|').join(' ')).toBe(
      'posts posts.title posts.live posts.notes.text posts.some( posts.every( posts.none(',
    );
    expect(texts('posts.some(|').join(' ')).toBe(
      'title live notes.text notes.some( notes.none( not',
    );
    expect(texts('posts.some(title = a |')).toEqual(['and', 'or', ')']);
    expect(texts('seenAt > |')).toEqual(['now', 'today']);
    expect(texts('name = a or not ag|')).toEqual(['age']);
  });
});
