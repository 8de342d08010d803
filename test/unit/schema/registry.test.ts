import { describe, expect, it } from 'vitest';
import { defineQueryRules, defineSchemaRegistry } from '../../../src/index.ts';
import type { QuerySchema } from '../../../src/index.ts';
import { refusalOf } from '../refusal.ts';

const model = (name: string, ...targets: string[]): QuerySchema => ({
  model: name,
  primaryKey: ['id'],
  fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
  relations: targets.map((target) => ({
    path: `to_${target}`,
    target,
    cardinality: 'many',
    nullable: false,
  })),
});

const rules = { fields: { root: { allowed: ['id'], default: ['id'] } } };

describe('defineSchemaRegistry', () => {
  it('holds one schema per model, by name', () => {
    const registry = defineSchemaRegistry([model('a', 'b'), model('b')]);
    expect([...registry.keys()]).toEqual(['a', 'b']);
    expect(registry.get('a')).toEqual(model('a', 'b'));
    expect(Object.isFrozen(registry.get('a'))).toBe(true);
  });

  it('refuses two schemas of the same model', () => {
    const error = refusalOf(() => defineSchemaRegistry([model('a'), model('b'), model('a')]));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toMatch(/^a: two schemas/);
    expect(error.details).toEqual({ model: 'a' });
  });

  it('refuses a schema that defineQuerySchema refuses', () => {
    const broken = { ...model('a'), primaryKey: [] };
    const error = refusalOf(() => defineSchemaRegistry([broken]));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain('a: primaryKey is empty');
  });

  it('accepts a relation to an unknown model until rules reach it', () => {
    expect(() => defineSchemaRegistry([model('a', 'gone'), model('b')])).not.toThrow();
  });
});

describe('every model reachable from the root must be in the registry', () => {
  it('refuses a missing target and names the relation that requires it', () => {
    const registry = new Map([['a', model('a', 'gone')]]);
    const error = refusalOf(() => defineQueryRules(registry, 'a', rules));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain('a.to_gone');
    expect(error.message).toContain('"gone" is not in the registry');
  });

  it('refuses a missing target several relations away, even if no rule names it', () => {
    const registry = defineSchemaRegistry([model('a', 'b'), model('b', 'a', 'c'), model('c', 'd')]);
    const error = refusalOf(() => defineQueryRules(registry, 'a', rules));
    expect(error.message).toContain('c.to_d');
    expect(error.details).toEqual({ model: 'c', path: 'to_d' });
  });

  it('ignores models that the root does not reach', () => {
    const registry = defineSchemaRegistry([model('a', 'b'), model('b', 'a'), model('c', 'd')]);
    expect(() => defineQueryRules(registry, 'a', rules)).not.toThrow();
  });

  it('refuses a missing root by name', () => {
    const error = refusalOf(() => defineQueryRules(new Map([['a', model('a')]]), 'b', rules));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain('"b"');
  });
});

describe('a plain Map', () => {
  it('is accepted wherever a registry is', () => {
    const registry = new Map([
      ['a', model('a', 'b')],
      ['b', model('b')],
    ]);
    expect(defineQueryRules(registry, 'a', rules).model).toBe('a');
  });

  it('has its schemas checked when rules are compiled', () => {
    const registry = new Map([
      ['a', model('a', 'b')],
      ['b', { ...model('b'), primaryKey: ['nothing'] }],
    ]);
    const error = refusalOf(() => defineQueryRules(registry, 'a', rules));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain('b.nothing');
  });

  it('is refused if a key is not the model name of its schema', () => {
    const root = new Map([['a', model('b')]]);
    expect(refusalOf(() => defineQueryRules(root, 'a', rules)).message).toContain('"a"');
    const target = new Map([
      ['a', model('a', 'b')],
      ['b', model('c')],
    ]);
    const error = refusalOf(() => defineQueryRules(target, 'a', rules));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain('"b"');
  });
});
