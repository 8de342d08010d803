import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import {
  defineQueryRules,
  openApiOperation,
  openApiParameters,
  planQuery,
} from '../../../src/index.ts';
import type { CompiledQueryRules, OpenApiParameter, PaginationRule } from '../../../src/index.ts';
import { shopRegistry } from './shop.ts';

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const order = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
const text = ['like', 'notLike', 'ilike', 'notIlike'] as const;

function shopRules(pagination?: PaginationRule) {
  return defineQueryRules(
    shopRegistry,
    'article',
    {
      filters: [
        { path: 'name', operators: [...equality, ...order, ...text] },
        { path: 'code', operators: [...equality, 'like'] },
        { path: 'state', operators: equality },
        { path: 'stock', operators: [...equality, ...order, 'isNull'] },
        { path: 'serial', operators: [...equality, ...order] },
        { path: 'price', operators: [...equality, ...order] },
        { path: 'sold', operators: ['eq'] },
        { path: 'day', operators: [...equality, ...order] },
        { path: 'changedAt', operators: [...order, 'isNull'] },
        { path: 'labels', operators: ['isNull'] },
        { path: 'labels.text', operators: ['eq'] },
      ],
      sorts: ['name', 'stock'],
      fields: {
        root: { allowed: ['id', 'name', 'stock'], default: ['id', 'name'] },
        relations: { maker: { allowed: ['maker.*'], default: ['name'] } },
      },
      includes: ['maker'],
      search: ['name', 'maker.name'],
      ...(pagination && { pagination }),
    },
    { maxPerPage: 200, defaultPerPage: 20 },
  );
}

const rules = shopRules();
const parameters = openApiParameters(rules);
const named = (name: string, list: readonly OpenApiParameter[] = parameters) =>
  list.find((candidate) => candidate.name === name);

const ajv = addFormats.default(
  new Ajv2020({
    strict: true,
    formats: { decimal: true, int32: true, int64: true },
    allowUnionTypes: true,
  }),
);

describe('openApiParameters', () => {
  it('are valid in an OpenAPI 3.1 document', async () => {
    for (const mode of ['offset', 'keyset', 'both'] as const) {
      const result = await new Validator().validate({
        openapi: '3.1.0',
        info: { title: 'Shop', version: '1' },
        paths: {
          '/articles': {
            get: {
              parameters: openApiParameters(shopRules({ mode })),
              responses: { 200: { description: 'A page' } },
            },
          },
        },
      });
      expect(result).toEqual({ valid: true });
    }
  });

  it('carry schemas that compile in strict JSON Schema 2020-12', () => {
    for (const { schema } of parameters) expect(() => ajv.compile(schema)).not.toThrow();
  });

  it('hold one parameter per path and operator, each name once', () => {
    const expected = [...rules.filters].flatMap(([path, filter]) =>
      [...filter.operators].map((operator) => `filter[${path}][${operator}]`),
    );
    const names = parameters.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('filter')).sort()).toEqual(expected.sort());
    expect(names.filter((name) => !name.startsWith('filter'))).toEqual([
      'sort',
      'fields',
      'includes',
      'search',
      'page',
      'perPage',
      'paginate',
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('describe values by kind', () => {
    const schema = (name: string) => named(name)?.schema;
    expect(schema('filter[name][eq]')).toEqual({ type: 'string', maxLength: 1000 });
    expect(schema('filter[code][eq]')).toEqual({ type: 'string', format: 'uuid' });
    expect(schema('filter[code][like]')).toEqual({ type: 'string', maxLength: 1000 });
    expect(schema('filter[state][eq]')).toEqual({
      type: 'string',
      enum: ['new', 'used', 'a,b"c\\d'],
    });
    expect(schema('filter[stock][gte]')).toMatchObject({ type: 'integer', maximum: 2_147_483_647 });
    expect(schema('filter[serial][lt]')).toMatchObject({ type: 'string', format: 'int64' });
    expect(schema('filter[price][lt]')).toMatchObject({ type: 'string', format: 'decimal' });
    expect(schema('filter[sold][eq]')).toEqual({ type: 'boolean' });
    expect(schema('filter[day][gt]')).toEqual({ type: 'string', format: 'date' });
    expect(schema('filter[changedAt][gt]')).toMatchObject({ type: 'string', format: 'date-time' });
    expect(schema('filter[changedAt][isNull]')).toEqual({ type: 'boolean' });
    expect(schema('filter[labels][isNull]')).toEqual({ type: 'boolean' });
  });

  it('describe lists as one comma list and pairs as two values', () => {
    const list = { style: 'form', explode: false };
    expect(named('filter[stock][in]')).toMatchObject({
      ...list,
      schema: { type: 'array', maxItems: 1000 },
    });
    expect(named('filter[day][between]')).toMatchObject({
      ...list,
      schema: { minItems: 2, maxItems: 2 },
    });
    expect(named('sort')).toMatchObject({
      ...list,
      schema: { items: { enum: ['name', '-name', 'stock', '-stock'] } },
    });
    expect(named('fields')).toMatchObject({
      ...list,
      schema: { items: { enum: ['id', 'name', 'stock', 'maker.id', 'maker.name'] } },
    });
    expect(named('includes')).toMatchObject({ ...list, schema: { items: { enum: ['maker'] } } });
    expect(named('filter[stock][eq]')).not.toHaveProperty('explode');
  });

  it('describe the parameter for a reader', () => {
    expect(named('filter[labels.text][eq]')?.description).toBe(
      'Keeps rows where at least one `labels.text` equals the value. ' +
        'The value is text without NUL characters and unpaired surrogates. `filter[labels.text]` means the same.',
    );
    expect(named('filter[labels][isNull]')?.description).toContain('is empty (`true`)');
    expect(named('search')?.description).toContain('`name`, `maker.name`');
    for (const { description } of parameters) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it('follow the pagination of the endpoint', () => {
    expect(named('perPage')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 20,
    });
    expect(named('page')?.schema).toEqual({ type: 'integer', minimum: 1, default: 1 });
    expect(named('cursor')).toBeUndefined();
    const names = (pagination: PaginationRule) =>
      openApiParameters(shopRules(pagination))
        .map(({ name }) => name)
        .slice(-4);
    expect(names({ allowUnpaginated: false })).toEqual(['includes', 'search', 'page', 'perPage']);
    expect(names({ mode: 'keyset' })).toEqual(['search', 'perPage', 'paginate', 'cursor']);
    expect(names({ mode: 'both' })).toEqual(['page', 'perPage', 'paginate', 'cursor']);
  });

  it('omit parameters that the endpoint does not have', () => {
    const bare = defineQueryRules(shopRegistry, 'label', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    expect(openApiParameters(bare).map(({ name }) => name)).toEqual([
      'fields',
      'page',
      'perPage',
      'paginate',
    ]);
  });

  it('accept the same values as the parser', () => {
    const candidates = [
      '',
      'x',
      '0',
      '-0',
      '-1',
      '01',
      '+1',
      '1.5',
      '1.',
      '.5',
      '1e3',
      'NaN',
      'true',
      '1',
      'false',
      'TRUE',
      '2147483647',
      '2147483648',
      '-2147483649',
      'new',
      'New',
      '2024-02-29',
      '2023-02-29',
      '2024-13-01',
      '2024-01-01T00:00:00Z',
      '2024-01-01T00:00:00+02:00',
      '2024-01-01T00:00:00',
      '2024-01-01 00:00:00Z',
      '00000000-0000-0000-0000-00000000000A',
      'not-a-uuid',
      'é'.repeat(1001),
    ];
    for (const [path, operator] of [
      ['name', 'eq'],
      ['code', 'eq'],
      ['state', 'eq'],
      ['stock', 'eq'],
      ['serial', 'eq'],
      ['price', 'eq'],
      ['day', 'eq'],
      ['changedAt', 'gt'],
      ['name', 'like'],
    ] as const) {
      const schema = named(`filter[${path}][${operator}]`)?.schema;
      const validate = ajv.compile(schema ?? false);
      for (const candidate of candidates) {
        const value =
          schema?.type === 'integer' && /^-?(0|[1-9]\d*)$/.test(candidate)
            ? Number(candidate)
            : candidate;
        expect([path, candidate, validate(value)]).toEqual([
          path,
          candidate,
          accepts(rules, path, operator, candidate),
        ]);
      }
    }
  });
});

function accepts(
  endpoint: CompiledQueryRules,
  path: string,
  operator: string,
  value: string,
): boolean {
  try {
    planQuery({ filter: { [path]: { [operator]: value } } }, endpoint);
    return true;
  } catch {
    return false;
  }
}

describe('openApiOperation', () => {
  const answers: readonly [PaginationRule | undefined, object][] = [
    [undefined, { data: [], page: 1, perPage: 20, total: 0, lastPage: 0 }],
    [
      { count: 'capped' },
      { data: [], page: 1, perPage: 20, total: 9, lastPage: 1, totalCapped: true },
    ],
    [{ count: 'none' }, { data: [], page: 1, perPage: 20, hasNextPage: false }],
    [{ mode: 'keyset' }, { data: [], perPage: 20, nextCursor: 'a', prevCursor: null }],
    [
      { mode: 'both' },
      {
        data: [
          { id: 1, maker: { name: 'A' } },
          { id: 2, name: 'B' },
        ],
      },
    ],
  ];

  const compiledAnswer = (compiled: CompiledQueryRules, status: string) =>
    ajv.compile(
      openApiOperation(compiled).responses[status]?.content['application/json'].schema ?? false,
    );

  it.each(answers)('describes the answers of %o', (pagination, body) => {
    const validate = compiledAnswer(shopRules(pagination), '200');
    expect(validate(body) || validate.errors).toBe(true);
    expect(validate({ ...body, data: [{ id: 'one' }] })).toBe(false);
    expect(validate({ page: 1 })).toBe(false);
  });

  it('names no field that clients may not see', () => {
    const narrow = defineQueryRules(shopRegistry, 'article', {
      fields: {
        root: { allowed: ['id', 'name'], default: ['id'] },
        relations: { maker: { allowed: ['id'], default: ['id'] } },
      },
      includes: ['maker'],
    });
    for (const of of ['list', 'item'] as const) {
      const { parameters: asked, responses } = openApiOperation(narrow, { of });
      const described = JSON.stringify([asked, responses['200']]);
      const named = shopRegistry.get('article')?.fields.map(({ path }) => path) ?? [];
      const shown = named.filter((path) => described.includes(JSON.stringify(path)));
      expect([of, shown]).toEqual([of, ['id', 'name']]);
      expect(described).toContain('"maker":');
    }
  });

  it('describes the envelope of errors', () => {
    try {
      planQuery('sort=nope', rules);
      expect.unreachable();
    } catch (error) {
      const validate = compiledAnswer(rules, '400');
      const body: unknown = JSON.parse(JSON.stringify(error));
      expect(validate(body) || validate.errors).toBe(true);
      expect(compiledAnswer(rules, '503')(body)).toBe(false);
    }
  });

  it('is valid in an OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/articles': {
          get: { operationId: 'articles', ...openApiOperation(rules) },
          post: { operationId: 'search', ...openApiOperation(rules, { body: true }) },
        },
        '/article': { get: { operationId: 'article', ...openApiOperation(rules, { of: 'item' }) } },
      },
    });
    expect(result).toMatchObject({ valid: true });
  });
});
