import { describe, expect, it } from 'vitest';
import { describeRules } from '../../src/client/index.ts';
import { shopRules } from '../unit/rules/shop-rules.ts';

describe('describeRules', () => {
  const rules = shopRules({ mode: 'both', count: { capped: 5 } }, { maxPerPage: 50 });
  const description = describeRules(rules);

  it('is JSON that names everything a client may ask for', () => {
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
    expect(description.filters.map(({ path }) => path)).toEqual([...rules.filters.keys()]);
    expect(description.filters.find(({ path }) => path === 'state')).toEqual({
      path: 'state',
      kind: 'enum',
      operators: ['eq', 'ne', 'in', 'notIn', 'like', 'notLike'],
      members: ['new', 'used', 'a,b"c\\d'],
      nullable: false,
      many: false,
    });
    expect(description.filters.find(({ path }) => path === 'maker')).toEqual({
      path: 'maker',
      kind: null,
      operators: ['isNull'],
      nullable: true,
      many: false,
    });
    expect(description.filters.find(({ path }) => path === 'labels.text')?.many).toBe(true);
    expect(description.sorts).toContainEqual({ path: 'stock', nulls: 'last' });
    expect(description.includes).toContainEqual({
      path: 'maker.articles',
      parent: 'maker',
      many: true,
      maxChildren: 100,
      allowed: ['id', 'name'],
      default: ['id'],
    });
    expect(description.search).toEqual(['name', 'maker.name']);
    expect(description.pagination).toEqual({
      mode: 'both',
      count: 'capped',
      defaultPerPage: 10,
      maxPerPage: 50,
      allowUnpaginated: true,
      maxUnpaginatedRows: 50,
    });
    expect(description.operators.find(({ name }) => name === 'between')).toMatchObject({
      arity: 'pair',
    });
    expect(description.limits.maxFilters).toBe(50);
  });

  it('names no internal field', () => {
    expect(JSON.stringify(description)).not.toContain('nameFolded');
  });

  it('refuses a declaration', () => {
    expect(() => describeRules({} as never)).toThrow(/"rules" must be/);
  });
});
