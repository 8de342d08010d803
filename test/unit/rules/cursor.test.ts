import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineQueryRules, planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules, PlanValue, QuerySettings } from '../../../src/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor/cursor.ts';
import { textDigest } from '../../../src/rules/plan/cursor/long-text.ts';
import { keysetResult as resultOf } from '../../../src/rules/read/list-result.ts';
import { cursorKeys } from '../../cursor-keys.ts';
import { refusalOf, thawedParts } from '../refusal.ts';
import { shopRules } from './shop-rules.ts';
import { shopRegistry } from './shop.ts';
import type { KeysetPosition, PageRows } from '../../../src/rules/index.ts';

const rules = shopRules({ mode: 'keyset' });
const both = shopRules({ mode: 'both' });

/** Rules of makers, whose cursors hold fields that the client may see. */
const makers = (settings: QuerySettings, allowed: readonly string[] = ['id', 'name']) =>
  defineQueryRules(
    shopRegistry,
    'maker',
    {
      fields: { root: { allowed, default: allowed } },
      filters: [{ path: 'name', operators: ['ne'] }],
      sorts: ['name'],
      pagination: { mode: 'keyset' },
    },
    settings,
  ) as CompiledQueryRules;
const readable = makers({});

function windowOf(request: string, of: CompiledQueryRules = rules) {
  const { page } = planQuery(request, of);
  if (page.mode !== 'keyset') throw new TypeError(`The window is ${page.mode}.`);
  return page;
}

/** The cursor an endpoint hands out for a row of this request's answer. */
const cursorFor = (
  request: string,
  values: readonly (PlanValue | null)[],
  of: CompiledQueryRules = rules,
) => encodeCursor(of, windowOf(request, of).binding, 'after', false, values);

const positionOf = (request: string, cursor: string, of = rules): KeysetPosition | null =>
  windowOf(`${request}&cursor=${cursor}`, of).position;

const codeOf = (request: string, of: CompiledQueryRules = rules) =>
  refusalOf(() => planQuery(request, of)).code;

describe('a cursor', () => {
  it('stands for the canonical values of a row, nulls among them', () => {
    const cursor = cursorFor('sort=-stock,name', [null, 'Zoë 😀 "x"', '7']);
    expect(positionOf('sort=-stock,name', cursor)).toEqual({
      direction: 'after',
      inclusive: false,
      values: [null, 'Zoë 😀 "x"', 7],
    });
    expect(thawedParts(windowOf(`sort=-stock,name&cursor=${cursor}`))).toEqual([]);
  });

  it('is URL-safe text that shows no version, hash or value', () => {
    const cursor = cursorFor('sort=name', ['ÿ>?~', '7']);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it('travels both ways, with its row or without', () => {
    const { binding } = windowOf('sort=name');
    for (const direction of ['after', 'before'] as const) {
      for (const inclusive of [true, false]) {
        const cursor = encodeCursor(rules, binding, direction, inclusive, ['a', '7']);
        expect(positionOf('sort=name', cursor)).toEqual({ direction, inclusive, values: ['a', 7] });
      }
    }
  });

  it('serves with another page size, projection, include and order of the filters', () => {
    const cursor = cursorFor('sort=name&filter[stock]=1&filter[sold]=true&search=x', ['a', '7']);
    const request = 'search=x&filter[sold]=1&filter[stock][eq]=1&sort=name';
    expect(positionOf(`${request}&perPage=3&fields=id&includes=maker`, cursor)?.values).toEqual([
      'a',
      7,
    ]);
  });

  it('outlives a restart with equal rules, and no other', () => {
    const cursor = cursorFor('sort=name', ['a', '7']);
    expect(positionOf('sort=name', cursor, shopRules({ mode: 'keyset' }))?.values).toEqual([
      'a',
      7,
    ]);
    expect(codeOf(`sort=name&cursor=${cursor}`, both)).toBe('CURSOR_INVALID');
  });

  it('empty is the first page', () => {
    expect(windowOf('sort=name&cursor=').position).toBeNull();
  });
});

describe('CURSOR_INVALID', () => {
  const cursor = cursorFor('sort=name&filter[stock]=1', ['a', '7']);
  const refuses = (request: string) =>
    expect([request, codeOf(request)]).toEqual([request, 'CURSOR_INVALID']);

  it('for a cursor of another sort', () => {
    for (const sort of ['-name', 'name,price', 'price', 'id']) {
      refuses(`sort=${sort}&filter[stock]=1&cursor=${cursor}`);
    }
    refuses(`filter[stock]=1&cursor=${cursor}`);
  });

  it('for a cursor of other filters or another search', () => {
    for (const filter of [
      'filter[stock]=2',
      'filter[stock][gte]=1',
      'filter[stock]=1&search=x',
      '',
    ]) {
      refuses(`sort=name&${filter}&cursor=${cursor}`);
    }
  });

  it('for a cursor of another endpoint', () => {
    const labels = defineQueryRules(
      shopRegistry,
      'maker',
      {
        fields: { root: { allowed: ['id'], default: ['id'] } },
        sorts: ['name'],
        pagination: { mode: 'keyset' },
      },
      { cursorKeys },
    );
    const foreign = cursorFor('sort=name', ['a', '7'], labels);
    refuses(`sort=name&cursor=${foreign}`);
  });

  it('for a cursor altered anywhere', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const altered = cursor.slice(0, index) + other + cursor.slice(index + 1);
      refuses(`sort=name&filter[stock]=1&cursor=${altered}`);
    }
    refuses(`sort=name&filter[stock]=1&cursor=${cursor.slice(0, -2)}`);
    refuses(`sort=name&filter[stock]=1&cursor=${cursor}${cursor}`);
  });

  it('for a text that is not a cursor, at any length', () => {
    for (const text of [
      'x',
      '1',
      '%00',
      '%F0%9F%98%80',
      '!!!!',
      'A'.repeat(9000),
      'e30',
      'bnVsbA',
    ]) {
      refuses(`sort=name&cursor=${text}`);
    }
  });

  it('for values that no row has, though the hash is right', () => {
    const { binding } = windowOf('sort=name', readable);
    const forge = (values: unknown) =>
      encodeCursor(readable, binding, 'after', false, values as readonly string[]);
    expect(positionOf('sort=name', forge(['a', '7']), readable)?.values).toEqual(['a', 7]);
    for (const values of [
      ['a'],
      ['a', '7', '8'],
      ['a', 'seven'],
      ['a', 7],
      ['a\0', '7'],
      ['a', '99999999999'],
      [{ a: 1 }, '7'],
      'a7',
      null,
      { length: 2 },
    ]) {
      const request = `sort=name&cursor=${forge(values)}`;
      expect([values, codeOf(request, readable)]).toEqual([values, 'CURSOR_INVALID']);
    }
  });

  it('never says what it read', () => {
    const error = refusalOf(() => planQuery(`sort=name&cursor=${cursor}`, rules));
    expect(error.status).toBe(400);
    expect(error.details).toEqual({ param: 'cursor' });
    expect(JSON.stringify(error)).not.toContain(cursor);
  });
});

describe('cursor and pages', () => {
  it('a keyset endpoint has no page, and one of both takes one of the two', () => {
    expect(codeOf('page=1')).toBe('PAGINATION_INVALID');
    expect(planQuery('page=2', both).page.mode).toBe('offset');
    expect(planQuery('', both).page.mode).toBe('offset');
    expect(windowOf('cursor=', both).position).toBeNull();
    expect(codeOf('page=1&cursor=', both)).toBe('PAGINATION_INVALID');
  });

  it('paginate=false goes without cursor', () => {
    expect(planQuery('paginate=false', rules).page.mode).toBe('all');
    expect(codeOf(`paginate=false&cursor=${cursorFor('', ['7'])}`)).toBe('PAGINATION_INVALID');
  });

  it('repeated is a syntax error, and the cursor is looked at last', () => {
    expect(codeOf('cursor=a&cursor=a')).toBe('QUERY_SYNTAX_INVALID');
    expect(codeOf('cursor=a&perPage=0')).toBe('PAGINATION_INVALID');
    expect(codeOf('cursor=a&filter[stock]=x')).toBe('FILTER_VALUE_INVALID');
  });
});

describe('the cursors of an answer', () => {
  const request = 'sort=-stock&perPage=2';
  const { order } = planQuery(request, rules);
  const keysetResult = (of: typeof rules, window: ReturnType<typeof windowOf>, page: PageRows) =>
    resultOf(of, order, window, page);
  const window = (direction?: 'after' | 'before') => {
    const start = windowOf(request);
    if (!direction) return start;
    const cursor = encodeCursor(rules, start.binding, direction, false, ['5', '7']);
    return windowOf(`${request}&cursor=${cursor}`);
  };
  const page = (hasMore: boolean) => ({
    rows: [{ id: 1 }, { id: 2 }],
    hasMore,
    first: ['9', '1'],
    last: [null, '2'],
  });
  const position = (cursor: string | null) => cursor && positionOf(request, cursor);
  const at = (direction: 'after' | 'before', values: readonly (PlanValue | null)[]) => ({
    direction,
    inclusive: false,
    values,
  });

  it('lead on from the last row and back from the first', () => {
    const { nextCursor, prevCursor, perPage } = keysetResult(rules, window('after'), page(true));
    expect(perPage).toBe(2);
    expect(position(nextCursor)).toEqual(at('after', [null, 2]));
    expect(position(prevCursor)).toEqual(at('before', [9, 1]));
  });

  it('are null where there is no page that way', () => {
    expect(keysetResult(rules, window(), page(true)).prevCursor).toBeNull();
    expect(keysetResult(rules, window(), page(false)).nextCursor).toBeNull();
    expect(keysetResult(rules, window('after'), page(false))).toMatchObject({ nextCursor: null });
    expect(keysetResult(rules, window('before'), page(false))).toMatchObject({ prevCursor: null });
    expect(keysetResult(rules, window('before'), page(false)).nextCursor).not.toBeNull();
  });

  it('of an empty page lead back to where it began, its row included', () => {
    const empty = { rows: [], hasMore: false };
    const back = keysetResult(rules, window('after'), empty);
    expect(back.nextCursor).toBeNull();
    expect(position(back.prevCursor)).toEqual({ ...at('before', [5, 7]), inclusive: true });
    const on = keysetResult(rules, window('before'), empty);
    expect(on.prevCursor).toBeNull();
    expect(position(on.nextCursor)).toEqual({ ...at('after', [5, 7]), inclusive: true });
    expect(keysetResult(rules, window(), empty)).toMatchObject({
      nextCursor: null,
      prevCursor: null,
    });
  });

  it('contain the beginning of a long text, so that they fit in a request', () => {
    for (const long of ['é'.repeat(300_000), '😀'.repeat(20_000), `a${'😀'.repeat(20_000)}`]) {
      const asked = 'sort=name,-stock';
      const { order: terms } = planQuery(asked, rules);
      const ends = {
        rows: [{ id: 1 }],
        hasMore: true,
        first: [long, '5', '7'],
        last: [long, '5', '7'],
      };
      const { nextCursor } = resultOf(rules, terms, windowOf(asked), ends);
      const found = positionOf(asked, nextCursor ?? '');
      const beginning = String(found?.values[0]);
      expect(found).toMatchObject({
        begins: [{ index: 0, digest: textDigest(long) }],
        values: [beginning, 5, 7],
      });
      expect(beginning.isWellFormed()).toBe(true);
      expect(long.startsWith(beginning)).toBe(true);
      expect(beginning.length).toBeGreaterThan(100);
      // An empty page repeats the position.
      const empty = { rows: [], hasMore: false };
      const back = resultOf(rules, terms, windowOf(`${asked}&cursor=${nextCursor}`), empty);
      expect(positionOf(asked, back.prevCursor ?? '')).toMatchObject({ begins: found?.begins });
    }
  });

  it('contain all of a key and of a text of 300 characters', () => {
    const text = 'é'.repeat(300);
    const ends = { rows: [{ id: 1 }], hasMore: true, first: [text, '7'], last: [text, '7'] };
    const { nextCursor } = resultOf(
      rules,
      planQuery('sort=name', rules).order,
      windowOf('sort=name'),
      ends,
    );
    expect(positionOf('sort=name', nextCursor ?? '')).toEqual({
      direction: 'after',
      inclusive: false,
      values: [text, 7],
    });
  });

  it('without keys, are refused with a beginning of a text', () => {
    const { binding } = windowOf('sort=name', readable);
    const forge = (values: readonly unknown[]) =>
      encodeCursor(readable, binding, 'after', false, values as readonly string[]);
    const request = (values: readonly unknown[]) => `sort=name&cursor=${forge(values)}`;
    for (const values of [
      [['a'], '7'],
      [['a'], ['7']],
      [[], '7'],
      [[''], '7'],
      [[7], '7'],
      [[['a']], '7'],
      [['a\0'], '7'],
    ]) {
      expect([values, codeOf(request(values), readable)]).toEqual([values, 'CURSOR_INVALID']);
    }
  });
});

describe('keys of cursors', () => {
  const [old, fresh] = [
    'an old secret, which is to be replaced',
    'a new secret, which is to replace it',
  ];
  const made = (of: CompiledQueryRules) => cursorFor('sort=name', ['Åse', '7'], of);
  const open = (cursor: string, of: CompiledQueryRules) => {
    try {
      return positionOf('sort=name', cursor, of)?.values;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  afterEach(() => vi.restoreAllMocks());

  it('hide what a cursor holds, and give equal pages equal bytes', () => {
    expect(made(rules)).toBe(made(shopRules({ mode: 'keyset' })));
    const starts = Array.from({ length: 600 }, (_, at) =>
      cursorFor('sort=name', ['Åse', String(at)]).slice(0, 17),
    );
    expect(new Set(starts).size).toBe(600);
    const bytes = Buffer.from(made(rules), 'base64url').toString('latin1');
    expect(Buffer.from(made(readable), 'base64url').toString()).toContain('Åse');
    expect(bytes).not.toMatch(/se|"7"|\[/);
    expect(JSON.stringify(rules.cursors)).not.toContain(cursorKeys);
  });

  it('are the first for sealing and all of them for opening', () => {
    const [before, during, after] = [old, [fresh, old], fresh].map((keys) =>
      makers({ cursorKeys: keys }),
    );
    if (!before || !during || !after) throw new TypeError('There are three.');
    expect(open(made(before), during)).toEqual(['Åse', 7]);
    expect(open(made(during), after)).toEqual(['Åse', 7]);
    expect(open(made(during), before)).toBe('CURSOR_INVALID');
    expect(open(made(before), after)).toBe('CURSOR_INVALID');
  });

  it('neither open readable cursors nor make any', () => {
    const sealing = makers({ cursorKeys: old });
    expect(open(made(readable), sealing)).toBe('CURSOR_INVALID');
    expect(open(made(sealing), readable)).toBe('CURSOR_INVALID');
  });

  it('keep a position that its kind does not know, and one of any length', () => {
    for (const text of ['infinity', '10000-01-01 00:00:00+00', '0000-00-00 00:00:00']) {
      const cursor = cursorFor('sort=changedAt', [text, '7']);
      expect(positionOf('sort=changedAt', cursor)?.values).toEqual([text, 7]);
    }
    const long = 'x'.repeat(10_000);
    expect(positionOf('sort=name', cursorFor('sort=name', [long, '7']))?.values).toEqual([long, 7]);
  });

  it('are refused when they are short, without being repeated', () => {
    for (const keys of ['short', '', [], [old, 'short'], 7]) {
      const error = refusalOf(() => makers({ cursorKeys: keys as string }));
      expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
      expect(error.message).toContain('settings.cursorKeys');
      expect(error.message).not.toContain('short');
    }
  });

  it('need a runtime with node:crypto', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(refusalOf(() => makers({ cursorKeys: old }))).toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: expect.stringContaining('"settings.cursorKeys" needs node:crypto'),
    });
    expect(() => makers({})).not.toThrow();
  });

  it('are required where a cursor would hold a field that the client may not see', () => {
    const required = (allowed: readonly string[]) => refusalOf(() => makers({}, allowed));
    expect(required(['id'])).toMatchObject({ details: { rule: 'pagination', path: 'name' } });
    expect(required(['name'])).toMatchObject({ details: { rule: 'pagination', path: 'id' } });
    expect(required(['id']).message).toMatch(/"name".*fields\.root\.allowed.*settings\.cursorKeys/);
    expect(() => makers({ cursorKeys: old }, ['id'])).not.toThrow();
    expect(
      refusalOf(() => shopRules({ mode: 'both' }, { cursorKeys: undefined } as object)),
    ).toMatchObject({
      details: { path: 'changedAt' },
    });
    expect(() => shopRules({}, { cursorKeys: undefined } as object)).not.toThrow();
  });
});

describe('the scope of a cursor', () => {
  it.each([{ cursorKeys }, {}])('is the one that it was made in (%j)', (settings) => {
    const of = makers(settings);
    const inScope = (cursor: string, cursorScope?: string) => {
      const { page } = planQuery(`sort=name&cursor=${cursor}`, of, { cursorScope });
      if (page.mode !== 'keyset') throw new TypeError(`The window is ${page.mode}.`);
      return page;
    };
    const cursor = encodeCursor(of, inScope('', 'north').binding, 'after', false, ['a', '7']);
    expect(inScope(cursor, 'north').position?.values).toEqual(['a', 7]);
    for (const other of ['south', '', undefined]) {
      expect(refusalOf(() => inScope(cursor, other)).code).toBe('CURSOR_INVALID');
    }
    const unscoped = encodeCursor(of, inScope('').binding, 'after', false, ['a', '7']);
    expect(refusalOf(() => inScope(unscoped, 'north')).code).toBe('CURSOR_INVALID');
  });
});
