/** The schema of a queue's job data: JSON Schema in every draft and zod in every form. */

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as former from 'zod/v3';
import { dataSchemaOf } from '../../../src/board/kvq/queue/data-schema.ts';

/** Every value that the schemas below distinguish. */
const values: readonly unknown[] = JSON.parse(`[
  null, true, 0, -1, 1.5, 3, "", "a", "abc", "ü", "😀", [], [1], [1, 1], ["a"], [1, "a"], [1, 2, 3],
  [{"a": 1, "b": 2}, {"b": 2, "a": 1}], {}, {"a": 1}, {"a": "x"}, {"a": "x", "b": 1}, {"b": 1},
  {"c": {}}, {"a": null}, {"x1": 1}, {"x1": "a"}, {"a": {"b": 1}}, {"a": {"b": "x"}}, {"q": 1},
  {"a": {"a": {"a": "deep"}}}, {"a": 1, "b": 1, "c": 1}, {"constructor": 1}
]`);

const text = { type: 'string' };
const number = { type: 'number' };

const schemas: readonly object[] = [
  {},
  { type: 'object' },
  { type: ['string', 'null'] },
  { type: 'integer' },
  { required: ['a'] },
  { required: ['constructor'] },
  { type: 'object', required: ['a'] },
  { properties: { a: text } },
  { properties: { a: {} }, required: ['a'] },
  { properties: { a: { ...text, default: 'x' } }, required: ['a'] },
  { properties: { a: false } },
  { type: 'object', additionalProperties: false },
  { properties: { a: {} }, additionalProperties: false },
  { required: ['a'], properties: { b: number }, additionalProperties: false },
  { additionalProperties: number, required: ['q'] },
  { patternProperties: { '^x': number } },
  { patternProperties: { '^x': number }, additionalProperties: false },
  { propertyNames: { pattern: '^a' } },
  { minProperties: 1 },
  { type: 'object', maxProperties: 1 },
  { minimum: 1 },
  { exclusiveMinimum: 0, exclusiveMaximum: 3 },
  { type: 'number', multipleOf: 0.5 },
  { minLength: 2 },
  { type: 'string', maxLength: 1 },
  { pattern: 'b' },
  { enum: ['a', 1, null] },
  { enum: [{ a: 1 }, [1]] },
  { type: 'number', enum: [0, 'a'] },
  { const: { a: 1 } },
  { const: null },
  { const: 'a', maxLength: 0 },
  { items: number },
  { items: false },
  { type: 'array', minItems: 1 },
  { type: 'array', maxItems: 1 },
  { uniqueItems: true },
  { contains: number },
  { contains: number, minContains: 2, maxContains: 2 },
  { contains: number, minContains: 0 },
  { prefixItems: [number, text] },
  { prefixItems: [number], items: false },
  { anyOf: [text, number] },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: number } },
  { oneOf: [number, { minimum: 1 }] },
  { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  {
    properties: { a: {}, b: {} },
    additionalProperties: false,
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  { allOf: [{ required: ['a'] }, { properties: { a: text } }] },
  { allOf: [{ properties: { a: {} }, additionalProperties: false }, { properties: { b: {} } }] },
  { not: text },
  { not: {} },
  JSON.parse('{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 1}}'),
  { dependentRequired: { a: ['b'] } },
  { dependentSchemas: { a: { required: ['b'] } } },
  { $defs: { s: text }, properties: { a: { $ref: '#/$defs/s' } } },
  { $ref: '#/$defs/s', minLength: 2, $defs: { s: text } },
  { type: ['object', 'string'], properties: { a: { $ref: '#' } } },
  { properties: { a: { properties: { b: number }, required: ['b'] } } },
  { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
  { prefixItems: [number], unevaluatedItems: text },
  { $dynamicAnchor: 'n', type: ['object', 'string'], properties: { a: { $dynamicRef: '#n' } } },
];

const draft7: readonly object[] = [
  { items: [number], additionalItems: false },
  { items: [number, text], additionalItems: text },
  { dependencies: { a: ['b'], c: { required: ['b'] } } },
  { definitions: { 'a/b': text }, properties: { a: { $ref: '#/definitions/a~1b' } } },
];

describe('a JSON Schema', () => {
  const newest = new Ajv2020({ strict: false, ownProperties: true });
  const older = new Ajv({ strict: false, ownProperties: true });

  it.each([
    ...schemas.map((schema) => [JSON.stringify(schema), schema, newest] as const),
    ...draft7.map((schema) => [JSON.stringify(schema), schema, older] as const),
  ])('%s agrees with Ajv', async (_text, schema, ajv) => {
    const fits = ajv.compile(schema);
    const { failureIn } = dataSchemaOf({ ...schema });
    for (const value of values) {
      expect([value, (await failureIn(value)) === null]).toEqual([value, fits(value)]);
    }
  });

  it('of draft 4 has limits that are marked as exclusive', async () => {
    const { failureIn } = dataSchemaOf({ minimum: 1, exclusiveMinimum: true, maximum: 3 });
    expect(await Promise.all([1, 2, 3, 4].map(failureIn))).toEqual(['data', null, null, 'data']);
  });

  it('of a named draft is read as that draft', async () => {
    const draft = 'http://json-schema.org/draft-04/schema#';
    const { failureIn } = dataSchemaOf({ $schema: draft, id: 'https://example.org/a', minimum: 1 });
    expect(await Promise.all([0, 1].map(failureIn))).toEqual(['data', null]);
  });

  it('does not meet the schemas of other queues', async () => {
    const $id = 'https://example.org/job';
    const inner = (schema: object) => ({ $ref: '#/$defs/a', $defs: { a: { ...schema, $id } } });
    const checks = [{ ...text, $id }, { ...number, $id }, inner(text), inner(number)];
    const valid = checks.map((schema) => dataSchemaOf(schema).failureIn('a'));
    expect(await Promise.all(valid)).toEqual([null, 'data', null, 'data']);
    expect(() => dataSchemaOf({ $ref: $id })).toThrow(TypeError);
  });

  it('cannot accept all data by being asynchronous', async () => {
    const { failureIn } = dataSchemaOf({ $async: true, type: 'string' });
    expect(await failureIn(1)).toBe('data');
  });

  it('compares many items in linear time', async () => {
    const { failureIn } = dataSchemaOf({ uniqueItems: true });
    const items = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    expect(await failureIn(items)).toBe(null);
    expect(await failureIn([...items, { index: 0 }])).toBe('data');
  });

  it('reports the invalid path', async () => {
    const { failureIn } = dataSchemaOf({
      properties: { to: { items: { properties: { mail: { format: 'email' } } } } },
      required: ['from'],
    });
    expect(await failureIn({})).toBe('data.from');
    const to = [{ mail: 'a@example.org' }, { mail: 'nobody' }];
    expect(await failureIn({ from: 'x', to })).toBe('data.to.1.mail');
  });

  it.each([
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'data.b'],
    [{ additionalProperties: false }, { 'a/b~c': 1 }, 'data.a/b~c'],
    [{ additionalProperties: text }, { 'a/b~c': 1 }, 'data.a/b~c'],
    [{ unevaluatedProperties: false }, { a: 1 }, 'data.a'],
    [{ properties: { a: { propertyNames: { maxLength: 1 } } } }, { a: { bb: 1 } }, 'data.a.bb'],
    [{ anyOf: [{ properties: { a: text } }, number] }, { a: 1 }, 'data'],
    [JSON.parse('{"if": {}, "then": {"required": ["a"]}}'), {}, 'data.a'],
  ])('%j reports the path in %j as %s', async (schema, data, path) => {
    expect(await dataSchemaOf(schema).failureIn(data)).toBe(path);
  });

  it.each([
    [{ type: 'nothing' }],
    [{ $ref: 'https://example.org/schema' }],
    [{ $ref: '#/$defs/nowhere' }],
    [{ $ref: '#' }],
    [{ $schema: 'https://example.org/dialect' }],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', prefixItems: [number] }],
    [{ properties: ['a'] }],
    [{ items: 'text' }],
    [{ pattern: '(' }],
  ])('%j is refused when the queue is added to the board', (schema) => {
    expect(() => dataSchemaOf(schema)).toThrow(TypeError);
  });
});

describe('a zod schema', () => {
  it('may be asynchronous', async () => {
    const known = new Set(['a']);
    const schema = z.object({ to: z.string().refine(async (name) => known.has(name)) });
    const { failureIn } = dataSchemaOf(schema);
    expect(await failureIn({ to: 'a' })).toBe(null);
    expect(await failureIn({ to: 'b' })).toBe('data.to');
  });

  it('may come from zod mini', async () => {
    const { failureIn, json } = dataSchemaOf(mini.object({ to: mini.string() }));
    expect(json).toMatchObject({ type: 'object', required: ['to'] });
    expect(await failureIn({ to: 5 })).toBe('data.to');
  });

  it('must not be one of zod 3, which would be an empty JSON Schema', () => {
    expect(() => dataSchemaOf(former.object({ to: former.string() }))).toThrow(TypeError);
    for (const odd of ['text', ['list'], null, () => true]) {
      expect(() => dataSchemaOf(odd as never)).toThrow(TypeError);
    }
  });
});
