import { describe, expect, it } from 'vitest';
import { assertSource, defineQueryRules, runQuery } from '../../../src/index.ts';
import type { QuerySource, SourceDifference } from '../../../src/index.ts';
import { refusalOf } from '../refusal.ts';
import { shopRegistry } from './shop.ts';
import { shopRules } from './shop-rules.ts';
import type {
  DescribedField,
  DescribedModel,
  DescribedRelation,
  SourceOrigin,
} from '../../../src/rules/index.ts';

const rules = shopRules();

/** The ORM's description of a model that the shop declares. */
function describedAsDeclared(model: string): DescribedModel | undefined {
  const schema = shopRegistry.get(model);
  if (!schema) return undefined;
  return {
    primaryKey: schema.primaryKey,
    fields: new Map(
      schema.fields.map(({ path, kind, nullable, enumValues }): [string, DescribedField] => [
        path,
        { kinds: new Set([kind]), nullable, enumValues },
      ]),
    ),
    relations: new Map(
      schema.relations.map(({ path, target, cardinality, nullable }) => [
        path,
        { target, cardinality, nullable },
      ]),
    ),
  };
}

type Change = (model: string, described: DescribedModel) => DescribedModel | undefined;

/** A source with the description of the shop, modified by `change`. */
function source(change: Change = (_model, described) => described) {
  let asked = 0;
  const origin: SourceOrigin = {
    describe: (model) => {
      asked += 1;
      const described = describedAsDeclared(model);
      return described && change(model, described);
    },
  };
  const of: QuerySource = {
    model: 'article',
    family: 'sqlite',
    registry: shopRegistry,
    origin,
    prepare: () => ({
      concurrent: false,
      countKey: '',
      rows: async () => ({ rows: [], hasMore: false }),
      count: async () => 0,
    }),
  };
  return { of, asked: () => asked };
}

const withField = (path: string, field: Partial<DescribedField> | null): Change => {
  return (model, described) => {
    if (model !== 'article') return described;
    const fields = new Map(described.fields);
    const known = fields.get(path);
    if (field && known) fields.set(path, { ...known, ...field });
    else fields.delete(path);
    return { ...described, fields };
  };
};

const withRelation = (path: string, relation: Partial<DescribedRelation> | null): Change => {
  return (model, described) => {
    if (model !== 'article') return described;
    const relations = new Map(described.relations);
    const known = relations.get(path);
    if (relation && known) relations.set(path, { ...known, ...relation });
    else relations.delete(path);
    return { ...described, relations };
  };
};

const differencesOf = (change: Change): readonly SourceDifference[] =>
  refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => assertSource(source(change).of, rules)).details
    .differences as SourceDifference[];

describe('a source whose description equals its schemas', () => {
  it('is accepted, and asked once for each model', async () => {
    const { of, asked } = source();
    assertSource(of, rules);
    expect(asked()).toBe(3);
    assertSource(of, rules);
    await runQuery(of, '', rules);
    expect(asked()).toBe(3);
  });

  it('is checked on first use unless it was checked before', async () => {
    const { of, asked } = source();
    await runQuery(of, '', rules);
    await runQuery(of, 'page=2', rules);
    await runQuery({ ...of }, 'page=3', rules);
    expect(asked()).toBe(3);
  });

  it('is asked once where several origins take turns', async () => {
    const sources = [source(), source()];
    for (let turn = 0; turn < 3; turn += 1) {
      for (const { of } of sources) await runQuery(of, '', rules);
    }
    expect(sources.map(({ asked }) => asked())).toEqual([3, 3]);
  });

  it('may hold more kinds than the declared one, and not tell whether a relation may be absent', () => {
    assertSource(source(withField('stock', { kinds: new Set(['integer', 'bigint']) })).of, rules);
    assertSource(source(withField('state', { enumValues: undefined })).of, rules);
    assertSource(source(withRelation('maker', { nullable: undefined })).of, rules);
  });

  it('needs no model that the rules do not reach', () => {
    const narrow = defineQueryRules(shopRegistry, 'article', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const change: Change = (model, described) => (model === 'article' ? described : undefined);
    assertSource(source(change).of, narrow);
  });

  it('need not describe itself at all', () => {
    assertSource({ ...source().of, origin: undefined }, rules);
  });
});

describe('a difference is named', () => {
  const cases: readonly (readonly [string, Change, Partial<SourceDifference>])[] = [
    ['a field that does not exist', withField('stock', null), { path: 'stock', rule: 'field' }],
    [
      'a kind that the column does not hold',
      withField('stock', { kinds: new Set(['string', 'json']) }),
      { path: 'stock', rule: 'kind', declared: 'kind integer', found: 'string, json' },
    ],
    [
      'a member too many or too few',
      withField('state', { enumValues: ['new', 'used', 'lost'] }),
      { path: 'state', rule: 'enumValues', found: 'new, used, lost' },
    ],
    [
      'nullable where the column is not',
      withField('stock', { nullable: false }),
      { path: 'stock', rule: 'nullable', declared: 'nullable: true', found: 'false' },
    ],
    [
      'never null where the column may be',
      withField('name', { nullable: true }),
      { path: 'name', rule: 'nullable', declared: 'nullable: false', found: 'true' },
    ],
    [
      'a companion that is not there',
      withField('nameFolded', null),
      { path: 'nameFolded', rule: 'companion', declared: 'a text companion of name' },
    ],
    [
      'a companion that is not text',
      withField('nameFolded', { kinds: new Set(['integer']) }),
      { path: 'nameFolded', rule: 'companion', found: 'integer' },
    ],
    [
      'another primary key',
      (model, described) =>
        model === 'article' ? { ...described, primaryKey: ['id', 'serial'] } : described,
      { path: null, rule: 'primaryKey', declared: 'primary key id', found: 'id, serial' },
    ],
    [
      'a relation that is not there',
      withRelation('labels', null),
      { path: 'labels', rule: 'relation' },
    ],
    [
      'a relation that leads elsewhere',
      withRelation('maker', { target: 'label' }),
      { path: 'maker', rule: 'target', declared: 'target maker', found: 'label' },
    ],
    [
      'another cardinality',
      withRelation('labels', { cardinality: 'one' }),
      { path: 'labels', rule: 'cardinality', declared: 'cardinality many', found: 'one' },
    ],
    [
      'a relation that may not be absent',
      withRelation('maker', { nullable: false }),
      { path: 'maker', rule: 'nullable', found: 'false' },
    ],
  ];

  it.each(cases)('%s', (_name, change, expected) => {
    expect(differencesOf(change)).toEqual([
      expect.objectContaining({ model: 'article', ...expected }),
    ]);
  });

  it('a model that is not there, wherever the rules reach it', () => {
    const gone = (name: string): Change => {
      return (model, described) => (model === name ? undefined : described);
    };
    for (const model of ['article', 'maker', 'label']) {
      expect(differencesOf(gone(model))).toEqual([
        { model, path: null, rule: 'model', declared: 'a model', found: 'no such model' },
      ]);
    }
  });

  it('every one of several, in details and in the message', () => {
    const change: Change = (model, described) => {
      if (model === 'label') return undefined;
      const once = withField('stock', null)(model, described);
      return once && withRelation('maker', { target: 'label', nullable: false })(model, once);
    };
    const { code, status, message, details } = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() =>
      assertSource(source(change).of, rules),
    );
    expect([code, status]).toEqual(['SOURCE_CONFIGURATION_INVALID', 500]);
    const differences = details.differences as SourceDifference[];
    expect(differences.map(({ model, path, rule }) => [model, path, rule])).toEqual([
      ['article', 'stock', 'field'],
      ['article', 'maker', 'target'],
      ['article', 'maker', 'nullable'],
      ['label', null, 'model'],
    ]);
    expect(message).toBe(
      [
        'Schemas and source do not fit; correct whichever is wrong.',
        'article.stock: the schema declares a field, the source says no such field;',
        'article.maker: the schema declares target maker, the source says label;',
        'article.maker: the schema declares nullable: true, the source says false;',
        'label: the schema declares a model, the source says no such model.',
      ].join('\n'),
    );
  });

  it('rules of another registry than the source', () => {
    const other = new Map(shopRegistry);
    const { of } = source();
    assertSource({ ...of, registry: other }, rules);
    const article = shopRegistry.get('article');
    if (article) other.set('article', { ...article, fields: article.fields.slice(0, -1) });
    const { details } = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() =>
      assertSource({ ...source().of, registry: other }, rules),
    );
    expect(details.differences).toMatchObject([{ model: 'article', path: null, rule: 'registry' }]);
  });
});

describe('a source that cannot serve the rules', () => {
  it('lists another model, or belongs to a family they do not serve', () => {
    const { of } = source();
    expect(refusalOf(() => assertSource({ ...of, model: 'maker' }, rules)).message).toMatch(
      /pair them/,
    );
    const local = shopRules({}, { families: ['postgresql'] });
    expect(refusalOf(() => assertSource(of, local)).message).toMatch(/settings\.families/);
  });
});

describe('on first use', () => {
  it('a difference is found after the request is checked and before anything is compiled', async () => {
    const { of } = source(withField('stock', null));
    const never: QuerySource = {
      ...of,
      prepare: () => {
        throw new TypeError('compiled');
      },
    };
    const run = (request: string) => runQuery(never, request, rules);
    await expect(run('page=0')).rejects.toMatchObject({ code: 'PAGINATION_INVALID' });
    for (let time = 0; time < 2; time += 1) {
      await expect(run('')).rejects.toMatchObject({
        code: 'SOURCE_CONFIGURATION_INVALID',
        status: 500,
      });
    }
  });
});

it('refuses rules that are not complete', () => {
  const { of } = source();
  const parts = Object.keys(rules).filter((part) => !['model', 'scopes', 'groups'].includes(part));
  for (const part of parts) {
    const refusal = refusalOf(() => assertSource(of, { ...rules, [part]: null }));
    expect({ ...refusal.toJSON(), part }).toMatchObject({
      part,
      code: 'SOURCE_CONFIGURATION_INVALID',
      details: { option: 'rules' },
    });
  }
  assertSource(of, { ...rules });
});
