import { describe, expect, it } from 'vitest';
import { defineQueryRules, defineSchemaRegistry } from '../../../src/index.ts';
import type {
  FieldDescriptor,
  FieldKind,
  QueryRulesDeclaration,
  QuerySettings,
  SchemaRegistry,
} from '../../../src/index.ts';
import { refusalOf } from '../refusal.ts';

const field = (
  path: string,
  kind: FieldKind,
  more: Partial<FieldDescriptor> = {},
): FieldDescriptor => ({ path, kind, nullable: false, primaryKey: false, ...more });

const id = field('id', 'integer', { primaryKey: true });
const hidden = (path: string) => field(path, 'string', { internal: true });

const registry: SchemaRegistry = defineSchemaRegistry([
  {
    model: 'order',
    primaryKey: ['id'],
    fields: [
      id,
      field('name', 'string', { foldedField: 'nameFolded' }),
      field('note', 'string', { nullable: true }),
      field('token', 'uuid'),
      field('ref', 'uuid', { foldedField: 'refFolded', portableOrderField: 'refOrder' }),
      field('state', 'enum', { enumValues: ['new', 'done'] }),
      field('rank', 'enum', { enumValues: ['low', 'high'], portableOrderField: 'rankOrder' }),
      field('stock', 'integer', { nullable: true }),
      field('serial', 'bigint'),
      field('price', 'decimal'),
      field('paid', 'boolean'),
      field('day', 'date'),
      field('at', 'datetime'),
      field('extra', 'json', { nullable: true }),
      field('photo', 'binary', { nullable: true }),
      hidden('nameFolded'),
      hidden('refFolded'),
      hidden('refOrder'),
      hidden('rankOrder'),
    ],
    relations: [
      { path: 'items', target: 'item', cardinality: 'many', nullable: false },
      { path: 'buyer', target: 'company', cardinality: 'one', nullable: true },
    ],
  },
  {
    model: 'item',
    primaryKey: ['id'],
    fields: [id, field('text', 'string', { foldedField: 'textFolded' }), hidden('textFolded')],
    relations: [{ path: 'company', target: 'company', cardinality: 'one', nullable: false }],
  },
  {
    model: 'company',
    primaryKey: ['id'],
    fields: [
      id,
      field('name', 'string', { foldedField: 'nameFolded' }),
      field('code', 'string', { nullable: true }),
      hidden('nameFolded'),
    ],
    relations: [{ path: 'orders', target: 'order', cardinality: 'many', nullable: false }],
  },
]);

const root = { allowed: ['id', 'name'], default: ['id'] };

type Loose = { readonly [Key in keyof QueryRulesDeclaration]?: unknown } & {
  readonly [key: string]: unknown;
};

/** Compiles a declaration that is completed with valid parts and not type-checked. */
function compile(rules: Loose, settings?: object, models = registry) {
  const whole = { fields: { root }, ...rules } as unknown as QueryRulesDeclaration;
  return defineQueryRules(models, 'order', whole, settings as QuerySettings);
}

/** Expects a refusal that names the rule and the path, and that the near-miss is accepted. */
function refuses(
  { rule, path, reason }: { rule: string; path?: string; reason: RegExp },
  refused: Loose,
  accepted: Loose,
) {
  const error = refusalOf(() => compile(refused));
  expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
  expect(error.message).toContain(path === undefined ? rule : `rules.${rule} "${path}"`);
  expect(error.message).toMatch(reason);
  if (path !== undefined) expect(error.details).toEqual({ rule, path });
  expect(() => compile(accepted)).not.toThrow();
}

const filters = (path: string, ...operators: string[]) => ({ filters: [{ path, operators }] });
const sorts = (...paths: unknown[]) => ({ sorts: paths });
const relations = (
  includes: readonly string[],
  projections: { readonly [path: string]: unknown },
) => ({ includes, fields: { root, relations: projections } });

describe('refused at construction, 1: filter rules', () => {
  it('a duplicate filter rule for one path', () => {
    const rule = (path: string) => ({ path, operators: ['eq'] });
    refuses(
      { rule: 'filters', path: 'name', reason: /two filter rules/ },
      { filters: [rule('name'), rule('name')] },
      { filters: [rule('name'), rule('buyer.name')] },
    );
  });

  it('operators: []', () => {
    refuses(
      { rule: 'filters', path: 'name', reason: /no operators/ },
      filters('name'),
      filters('name', 'eq'),
    );
  });

  it('no operators, and the operators of version 2', () => {
    const accepted = filters('name', 'eq');
    const rule = '"rules.filters[0].operators"';
    const reason = /must be a list of strings/;
    refuses({ rule, reason }, { filters: [{ path: 'name' }] }, accepted);
    const versionTwo = { filters: [{ path: 'name', operators: { allowed: ['eq'] } }] };
    refuses({ rule, reason }, versionTwo, accepted);
    refuses({ rule: 'filters', path: 'name', reason: /no operators/ }, filters('name'), accepted);
  });

  it('an operator that does not exist', () => {
    for (const operator of ['equals', 'EQ', 'constructor', '__proto__']) {
      refuses(
        { rule: 'filters', path: 'name', reason: /is not an operator/ },
        filters('name', 'eq', operator),
        filters('name', 'eq', 'ne'),
      );
    }
  });

  it('a path that does not exist, is internal, or is written as in version 2', () => {
    const accepted = filters('buyer.name', 'eq');
    for (const path of ['nope', 'nameFolded', 'buyer.nope', 'name.buyer', 'buyer.*', '*', '']) {
      refuses(
        { rule: 'filters', path, reason: /has no (field or )?relation ".*"; it has|is internal/ },
        filters(path, 'eq'),
        accepted,
      );
    }
    refuses(
      { rule: '"rules.filters"', reason: /list of objects such as \{ path: 'name', operators/ },
      { filters: ['buyer'] },
      accepted,
    );
  });
});

describe('refused at construction, 2: operators that cannot serve', () => {
  const refusesOperator = (
    [path, operator]: readonly [string, string],
    reason: RegExp,
    [nearPath, nearOperator]: readonly [string, string],
  ) =>
    refuses(
      { rule: 'filters', path, reason },
      filters(path, operator),
      filters(nearPath, nearOperator),
    );

  for (const operator of ['like', 'notLike', 'ilike', 'notIlike']) {
    it(`${operator} on a kind that is not text`, () => {
      for (const path of ['stock', 'serial', 'price', 'paid', 'day', 'at']) {
        refusesOperator([path, operator], /needs a string, uuid or enum/, ['name', operator]);
      }
    });
  }

  for (const operator of ['gt', 'gte', 'lt', 'lte', 'between']) {
    it(`${operator} on a uuid or an enum with no portableOrderField`, () => {
      refusesOperator(['token', operator], /portableOrderField on a uuid/, ['ref', operator]);
      refusesOperator(['state', operator], /portableOrderField on a enum/, ['rank', operator]);
    });
  }

  for (const operator of ['ilike', 'notIlike']) {
    it(`${operator} with no foldedField`, () => {
      refusesOperator(['note', operator], /needs a foldedField/, ['name', operator]);
      refusesOperator(['token', operator], /needs a foldedField/, ['ref', operator]);
      refusesOperator(['buyer.code', operator], /needs a foldedField/, ['buyer.name', operator]);
    });
  }

  it('isNull on a non-nullable field', () => {
    refusesOperator(['name', 'isNull'], /never null/, ['note', 'isNull']);
    refusesOperator(['buyer.name', 'isNull'], /never null/, ['buyer.code', 'isNull']);
  });

  for (const path of ['extra', 'photo']) {
    it(`any operator on ${path === 'extra' ? 'json' : 'binary'}`, () => {
      for (const operator of ['eq', 'in', 'gt', 'like', 'isNull']) {
        refusesOperator([path, operator], /take no operator/, ['note', 'isNull']);
      }
    });
  }

  it('an operator other than isNull on a relation path', () => {
    for (const path of ['buyer', 'items', 'items.company', 'buyer.orders']) {
      for (const operator of ['eq', 'in', 'like', 'gt']) {
        refusesOperator([path, operator], /takes only isNull/, [path, 'isNull']);
      }
    }
  });

  it('all else is accepted: equality everywhere, order where there is one', () => {
    const scalars = ['name', 'note', 'token', 'state', 'stock', 'serial', 'price', 'paid', 'day'];
    for (const path of [...scalars, 'at', 'items.text']) {
      expect(() => compile(filters(path, 'eq', 'ne', 'in', 'notIn'))).not.toThrow();
    }
    for (const path of ['name', 'stock', 'serial', 'price', 'paid', 'day', 'at', 'ref', 'rank']) {
      expect(() => compile(filters(path, 'gt', 'gte', 'lt', 'lte', 'between'))).not.toThrow();
    }
  });

  it('naming one family lends uuid and enum its own order', () => {
    for (const path of ['token', 'state']) {
      for (const family of ['postgresql', 'mysql', 'sqlite']) {
        const settings = { families: [family] };
        expect(() => compile({ ...filters(path, 'gt'), ...sorts(path) }, settings)).not.toThrow();
      }
      const two = { families: ['postgresql', 'sqlite'] };
      expect(() => compile(filters(path, 'gt'), two)).toThrow(/portableOrderField/);
      expect(() => compile(filters(path, 'gt'))).toThrow(/portableOrderField/);
    }
  });
});

describe('refused at construction, 3: sorts', () => {
  it('a sort path that crosses a many relation', () => {
    const reason = /crosses a many relation/;
    refuses({ rule: 'sorts', path: 'items.text', reason }, sorts('items.text'), sorts('name'));
    refuses(
      { rule: 'sorts', path: 'items.company.name', reason },
      sorts('items.company.name'),
      sorts('buyer.name'),
    );
    refuses(
      { rule: 'sorts', path: 'buyer.orders.name', reason },
      sorts('buyer.orders.name'),
      sorts('buyer.code'),
    );
  });

  it('a sort path that has no portable total order', () => {
    const reason = /no portable total order/;
    refuses({ rule: 'sorts', path: 'token', reason }, sorts('token'), sorts('ref'));
    refuses({ rule: 'sorts', path: 'state', reason }, sorts('state'), sorts('rank'));
    refuses({ rule: 'sorts', path: 'extra', reason }, sorts('extra'), sorts('note'));
    refuses({ rule: 'sorts', path: 'photo', reason }, sorts('photo'), sorts('price'));
  });

  it('a sort path that is not a field, or contains a direction', () => {
    const accepted = sorts('name', { path: 'stock', nulls: 'last' });
    const missing = /has no (field|relation) ".*"; it has|is internal|without direction/;
    for (const path of ['nope', '-name', 'nameFolded', 'buyer.*']) {
      refuses({ rule: 'sorts', path, reason: missing }, sorts(path), accepted);
    }
    refuses({ rule: 'sorts', path: 'buyer', reason: /relation has no/ }, sorts('buyer'), accepted);
  });

  it('a sort path listed twice, an unknown position of nulls, an unknown key', () => {
    const accepted = sorts({ path: 'stock', nulls: 'first' });
    refuses(
      { rule: 'sorts', path: 'name', reason: /listed twice/ },
      sorts('name', { path: 'name' }),
      accepted,
    );
    refuses(
      { rule: '"rules.sorts[0].nulls"', reason: /"first" or "last"/ },
      sorts({ path: 'stock', nulls: 'middle' }),
      accepted,
    );
    refuses(
      { rule: '"rules.sorts[0].direction"', reason: /is not an option/ },
      sorts({ path: 'stock', direction: 'desc' }),
      accepted,
    );
  });

  it('is independent of fields: a sorted field need not be selected', () => {
    expect(() => compile({ ...sorts('price'), fields: { root } })).not.toThrow();
  });
});

describe('refused at construction, 4: projections', () => {
  const projection = { allowed: ['id', 'text'], default: ['id'] };
  const accepted = relations(['items'], { items: projection });

  it('no root projection', () => {
    for (const fields of [undefined, ['id']]) {
      refuses({ rule: '"rules.fields"', reason: /an object/ }, { fields }, { fields: { root } });
    }
    for (const fields of [{}, { relations: {} }]) {
      refuses(
        { rule: '"rules.fields.root"', reason: /an object \{ allowed, default/ },
        { fields },
        { fields: { root } },
      );
    }
  });

  it('an empty default of the root', () => {
    refuses(
      { rule: 'fields', path: 'root', reason: /default is empty/ },
      { fields: { root: { allowed: ['id'], default: [] } } },
      { fields: { root: { allowed: ['id'], default: ['id'] } } },
    );
  });

  it('a default entry missing from allowed, at the root and in a relation', () => {
    refuses(
      { rule: 'fields', path: 'root', reason: /default names "name"/ },
      { fields: { root: { allowed: ['id'], default: ['id', 'name'] } } },
      { fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } } },
    );
    refuses(
      { rule: 'fields', path: 'items', reason: /default names "text"/ },
      relations(['items'], { items: { allowed: ['id'], default: ['text'] } }),
      accepted,
    );
  });

  it('a relation in includes without a projection', () => {
    refuses(
      { rule: 'includes', path: 'items', reason: /no projection; add fields.relations/ },
      { includes: ['items'] },
      accepted,
    );
  });

  it('a relation in includes whose projection has an empty default', () => {
    refuses(
      { rule: 'fields', path: 'items', reason: /default is empty/ },
      relations(['items'], { items: { allowed: ['id'], default: [] } }),
      accepted,
    );
  });

  it('a projection for a relation not in includes', () => {
    refuses(
      { rule: 'fields', path: 'buyer', reason: /includes does not list/ },
      relations(['items'], { items: projection, buyer: { allowed: ['id'], default: ['id'] } }),
      accepted,
    );
  });

  it('an allowed entry that is not a visible field', () => {
    for (const name of ['nope', 'nameFolded', 'buyer', 'buyer.name', 'constructor']) {
      refuses(
        { rule: 'fields', path: 'root', reason: /no visible field/ },
        { fields: { root: { allowed: ['id', name], default: ['id'] } } },
        { fields: { root: { allowed: ['id', 'name'], default: ['id'] } } },
      );
    }
    refuses(
      { rule: 'fields', path: 'items', reason: /item has no visible field "textFolded"/ },
      relations(['items'], { items: { allowed: ['textFolded'], default: ['textFolded'] } }),
      accepted,
    );
  });

  it('a projection without its two lists, or with more', () => {
    for (const broken of [{ default: ['id'] }, { allowed: ['id'] }]) {
      refuses(
        { rule: '"rules.fields.relations.items.', reason: /must be a list of strings/ },
        relations(['items'], { items: broken }),
        accepted,
      );
    }
    for (const broken of [['id'], 'id']) {
      refuses(
        { rule: '"rules.fields.relations.items"', reason: /an object \{ allowed, default/ },
        relations(['items'], { items: broken }),
        accepted,
      );
    }
    refuses(
      { rule: '"rules.fields.root.alias"', reason: /is not an option/ },
      { fields: { root: { ...root, alias: {} } } },
      { fields: { root } },
    );
  });

  it('a relation projection beside root instead of under relations', () => {
    refuses(
      { rule: '"rules.fields.items"', reason: /did you mean "rules.fields.relations.items"/ },
      { includes: ['items'], fields: { root, items: projection } },
      accepted,
    );
  });

  it('entries of a relation may carry its path', () => {
    const rules = compile(
      relations(['items'], { items: { allowed: ['items.id', 'text'], default: ['items.text'] } }),
    );
    expect([...(rules.includes.get('items')?.projection.allowed ?? [])]).toEqual(['id', 'text']);
    expect(rules.includes.get('items')?.projection.default).toEqual(['text']);
  });
});

describe('refused at construction, 5: includes', () => {
  const both = {
    items: { allowed: ['id'], default: ['id'] },
    'items.company': { allowed: ['name'], default: ['name'] },
  };

  it('a deep include without its parent include', () => {
    refuses(
      { rule: 'includes', path: 'items.company', reason: /parent "items" is not listed/ },
      relations(['items.company'], { 'items.company': both['items.company'] }),
      relations(['items.company', 'items'], both),
    );
  });

  it('an include that is not a relation, and one listed twice', () => {
    const accepted = relations(['items', 'items.company'], both);
    for (const path of ['nope', 'name', 'items.text', 'items.*', '*']) {
      refuses(
        { rule: 'includes', path, reason: /has no relation ".*"; it has|is a field/ },
        relations(['items', 'items.company', path], both),
        accepted,
      );
    }
    refuses(
      { rule: 'includes', path: 'items', reason: /listed twice/ },
      relations(['items', 'items', 'items.company'], both),
      accepted,
    );
  });
});

describe('refused at construction, 6: search', () => {
  it('a search field that is not textual', () => {
    for (const path of ['stock', 'serial', 'price', 'paid', 'day', 'at', 'extra', 'photo']) {
      refuses(
        { rule: 'search', path, reason: /needs a string, uuid or enum/ },
        { search: ['name', path] },
        { search: ['name', 'ref'] },
      );
    }
  });

  it('a search field that has no folded column', () => {
    const reason = /needs a foldedField/;
    refuses({ rule: 'search', path: 'note', reason }, { search: ['note'] }, { search: ['name'] });
    refuses({ rule: 'search', path: 'token', reason }, { search: ['token'] }, { search: ['ref'] });
    refuses({ rule: 'search', path: 'state', reason }, { search: ['state'] }, { search: ['ref'] });
    refuses(
      { rule: 'search', path: 'buyer.code', reason },
      { search: ['buyer.code'] },
      { search: ['buyer.name', 'items.text', 'items.company.name'] },
    );
  });

  it('a search path that is not a field, is internal, or is listed twice', () => {
    const accepted = { search: ['name', 'buyer.name'] };
    for (const path of ['nope', 'buyer', 'nameFolded', 'buyer.*']) {
      const reason = /has no (field|relation) ".*"; it has|is internal|is a relation/;
      refuses({ rule: 'search', path, reason }, { search: [path] }, accepted);
    }
    refuses(
      { rule: 'search', path: 'name', reason: /listed twice/ },
      { search: ['name', 'name'] },
      accepted,
    );
  });
});

describe('the wildcard <relation>.*', () => {
  const items = (allowed: readonly string[], defaults = ['id']) =>
    relations(['items'], { items: { allowed, default: defaults } });
  const refusesWildcard = (path: string, reason: RegExp, refused: Loose) =>
    refuses({ rule: 'fields', path, reason }, refused, items(['items.*']));

  it('expands to the non-internal fields of the target', () => {
    const rules = compile(items(['items.*'], ['text']));
    const projection = rules.includes.get('items')?.projection;
    expect([...(projection?.allowed ?? [])]).toEqual(['id', 'text']);
    expect(projection?.default).toEqual(['text']);
  });

  it('stands in default for every allowed field', () => {
    const all = compile(items(['items.*'], ['items.*'])).includes.get('items')?.projection;
    expect(all?.default).toEqual(['id', 'text']);
    const some = compile(items(['text'], ['items.*'])).includes.get('items')?.projection;
    expect(some?.default).toEqual(['text']);
    refusesWildcard('items', /stands alone in default/, items(['items.*'], ['items.*', 'id']));
  });

  it('is written with the whole path of a deep relation', () => {
    const deep = (allowed: string) =>
      relations(['items', 'items.company'], {
        items: { allowed: ['id'], default: ['id'] },
        'items.company': { allowed: [allowed], default: ['name'] },
      });
    const projection = compile(deep('items.company.*')).includes.get('items.company')?.projection;
    expect([...(projection?.allowed ?? [])]).toEqual(['id', 'name', 'code']);
    refusesWildcard('items.company', /no visible field "company.\*"/, deep('company.*'));
  });

  it('is refused beside other entries', () => {
    refusesWildcard('items', /stands alone/, items(['items.*', 'id']));
    refusesWildcard('items', /stands alone/, items(['id', 'items.*']));
    refusesWildcard('items', /stands alone/, items(['items.*', 'items.*']));
  });

  it('is refused bare in default', () => {
    refusesWildcard('items', /default names "\*"/, items(['items.*'], ['*']));
  });

  it('is refused bare, for another relation, and at the root', () => {
    refusesWildcard('items', /written <relation>\.\*/, items(['*']));
    refusesWildcard('items', /no visible field "buyer\.\*"/, items(['buyer.*']));
    const rootWith = (entry: string) => ({
      fields: { root: { allowed: [entry], default: ['id'] } },
    });
    refusesWildcard('root', /written <relation>\.\*/, rootWith('*'));
    refusesWildcard('root', /no visible field "items\.\*"/, rootWith('items.*'));
  });
});

describe('keys removed since version 2, and keys that never were', () => {
  const refusesKey = (rule: string, reason: RegExp, refused: Loose, settings?: object) => {
    const error = refusalOf(() => compile(refused, settings));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain(rule);
    expect(error.message).toMatch(reason);
  };

  it('operators, per endpoint and global', () => {
    const operators = { allowed: ['eq'] };
    refusesKey('rules.operators', /is not an option; each filter has its own/, { operators });
    refusesKey(
      'settings.operators',
      /is not an option; each filter has its own/,
      {},
      { operators },
    );
  });

  it('alias, of the rules and of one filter', () => {
    refusesKey('rules.alias', /is not an option; name paths/, { alias: { title: 'name' } });
    const aliased = { path: 'name', operators: ['eq'], alias: 'title' };
    refusesKey('rules.filters[0].alias', /is not an option; name the path/, {
      filters: [aliased],
    });
    refusesKey('rules.sorts[0].alias', /is not an option/, {
      sorts: [{ path: 'name', alias: 'title' }],
    });
  });

  it('any other key', () => {
    refusesKey('"rules.sort"', /did you mean "rules.sorts"/, { sort: ['name'] });
    refusesKey('[0].operator"', /did you mean "rules.filters\[0\].operators"/, {
      filters: [{ path: 'name', operators: ['eq'], operator: 'eq' }],
    });
    refusesKey('"rules.pagination.maxPerPage"', /is not an option of defineQueryRules/, {
      pagination: { maxPerPage: 5 },
    });
    refusesKey('"settings.perPage"', /did you mean "settings.maxPerPage"/, {}, { perPage: 5 });
  });

  it('something else than a list where a list belongs', () => {
    for (const key of ['filters', 'sorts', 'includes', 'search']) {
      refusesKey(`"rules.${key}"`, /must be a list of/, { [key]: { name: ['eq'] } });
      refusesKey(`"rules.${key}"`, /must be a list of/, { [key]: 'name' });
    }
    refusesKey('rules.filters[0].path', /must be a string/, { filters: [{ operators: ['eq'] }] });
    for (const rule of [null, 5, ['name']]) {
      refusesKey('"rules.sorts"', /a list of strings or objects/, { sorts: [rule] });
    }
    refusesKey('"rules.sorts[0].path"', /must be a string/, { sorts: [{}] });
    for (const key of ['includes', 'search']) {
      refusesKey(`rules.${key}`, /must be a list of strings/, { [key]: [null] });
    }
    for (const list of [[null], [5]]) {
      const root = { allowed: ['id'], default: ['id'] };
      for (const key of ['allowed', 'default']) {
        const fields = { root: { ...root, [key]: list } };
        refusesKey(`"rules.fields.root.${key}"`, /must be a list of strings/, { fields });
      }
    }
    for (const pagination of [null, 'keyset', []]) {
      refusesKey('"rules.pagination"', /must be an object/, { pagination });
    }
    const none = null as unknown as QueryRulesDeclaration;
    expect(() => defineQueryRules(registry, 'order', none)).toThrow(/must be an object/);
    expect(() => Reflect.apply(defineQueryRules, undefined, [registry])).toThrow(
      '"model" must be a string',
    );
    for (const map of [null, {}, [...registry.values()]]) {
      const given = map as unknown as SchemaRegistry;
      const fields = { root: { allowed: ['id'], default: ['id'] } };
      const error = refusalOf(() => defineQueryRules(given, 'order', { fields }));
      expect(error.message).toMatch(/make it with defineSchemaRegistry/);
    }
  });
});

describe('a primary key without a portable total order', () => {
  const keyed = (kind: FieldKind, more: Partial<FieldDescriptor> = {}): SchemaRegistry =>
    new Map([
      [
        'order',
        {
          model: 'order',
          primaryKey: ['shop', 'id'],
          fields: [
            field('shop', 'integer', { primaryKey: true }),
            field('id', kind, { primaryKey: true, enumValues: ['a', 'b'], ...more }),
            field('name', 'string'),
            hidden('idOrder'),
          ],
          relations: [],
        },
      ],
    ]);

  const waysOut = {
    uuid: /"id" of order .*portableOrderField/,
    enum: /"id" of order .*portableOrderField/,
    // No column gives bytes an order.
    binary: /"id" of order is binary, which has no order; leave out the model/,
  };
  for (const kind of ['uuid', 'enum', 'binary'] as const) {
    it(`a ${kind} part fails with CAPABILITY_UNAVAILABLE, naming part and model`, () => {
      const error = refusalOf(() => compile({}, {}, keyed(kind)));
      expect(error.code).toBe('CAPABILITY_UNAVAILABLE');
      expect(error.message).toMatch(waysOut[kind]);
      expect(error.details).toEqual({ model: 'order', path: 'id' });
    });
  }

  it('is accepted with a portable order column, or for one family', () => {
    for (const kind of ['uuid', 'enum'] as const) {
      expect(() => compile({}, {}, keyed(kind, { portableOrderField: 'idOrder' }))).not.toThrow();
      expect(() => compile({}, { families: ['mysql'] }, keyed(kind))).not.toThrow();
    }
  });

  it('fails for the target of a many include too, whose rows are ordered by it', () => {
    const shelf = (cardinality: 'one' | 'many') =>
      new Map([
        ...keyed('integer'),
        [
          'shelf',
          {
            model: 'shelf',
            primaryKey: ['id'],
            fields: [field('id', 'uuid', { primaryKey: true })],
            relations: [],
          },
        ],
        [
          'order',
          {
            ...(keyed('integer').get('order') as NonNullable<ReturnType<SchemaRegistry['get']>>),
            relations: [{ path: 'shelves', target: 'shelf', cardinality, nullable: false }],
          },
        ],
      ]);
    const include = relations(['shelves'], { shelves: { allowed: ['id'], default: ['id'] } });
    const error = refusalOf(() => compile(include, {}, shelf('many')));
    expect(error.code).toBe('CAPABILITY_UNAVAILABLE');
    expect(error.details).toEqual({ model: 'shelf', path: 'id' });
    expect(() => compile(include, {}, shelf('one'))).not.toThrow();
    expect(() => compile({}, {}, shelf('many'))).not.toThrow();
  });
});

describe('settings', () => {
  const refusesSetting = (settings: object, reason: RegExp, accepted: object) => {
    const error = refusalOf(() => compile({}, settings));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toMatch(reason);
    expect(() => compile({}, accepted)).not.toThrow();
  };

  it('have the defaults of the specification', () => {
    expect(compile({}).pagination).toEqual({
      defaultPerPage: 10,
      maxPerPage: 500,
      maxUnpaginatedRows: 500,
      allowUnpaginated: true,
      mode: 'offset',
      count: { type: 'exact' },
      mergeBy: null,
    });
    expect(compile({}).limits).toMatchObject({
      maxQueryLength: 16_384,
      maxFilters: 50,
      maxListLength: 1000,
      maxTextLength: 1000,
    });
  });

  it('maxUnpaginatedRows: the endpoint, else the setting, else the effective maxPerPage', () => {
    const rows = (pagination: object, settings: object) =>
      compile({ pagination }, settings).pagination.maxUnpaginatedRows;
    expect(rows({}, { maxPerPage: 50 })).toBe(50);
    expect(rows({}, { maxPerPage: 50, maxUnpaginatedRows: 70 })).toBe(70);
    expect(rows({ maxUnpaginatedRows: 90 }, { maxUnpaginatedRows: 70 })).toBe(90);
  });

  it('allowUnpaginated: the endpoint over the setting', () => {
    const allowed = (pagination: object, settings: object) =>
      compile({ pagination }, settings).pagination.allowUnpaginated;
    expect(allowed({}, { allowUnpaginated: false })).toBe(false);
    expect(allowed({ allowUnpaginated: true }, { allowUnpaginated: false })).toBe(true);
    refusesSetting({ allowUnpaginated: 'no' }, /"settings.allowUnpaginated" must be a boolean/, {
      allowUnpaginated: false,
    });
  });

  it('a page size of its own never exceeds the largest', () => {
    expect(compile({}, { maxPerPage: 5 }).pagination.defaultPerPage).toBe(5);
    refusesSetting({ defaultPerPage: 11, maxPerPage: 10 }, /above maxPerPage/, {
      defaultPerPage: 10,
      maxPerPage: 10,
    });
  });

  it('numbers that are none', () => {
    for (const value of [0, -1, 1.5, Number.NaN, Infinity, '10', null]) {
      for (const name of ['maxPerPage', 'defaultPerPage', 'maxUnpaginatedRows']) {
        if (value === null) continue;
        refusesSetting({ [name]: value }, new RegExp(name), { [name]: 1 });
      }
      refusesSetting({ limits: { maxFilters: value } }, /limits.maxFilters/, {
        limits: { maxFilters: 1 },
      });
    }
    refusesSetting({ limits: { maxOffset: -1 } }, /limits.maxOffset/, { limits: { maxOffset: 0 } });
    refusesSetting({ limits: { maxRows: 1 } }, /"settings.limits.maxRows" is not an option/, {
      limits: { maxFilters: 1 },
    });
  });

  it('families that are none', () => {
    const families = /list of "postgresql", "mysql", "sqlite", at least one/;
    refusesSetting({ families: [] }, families, {
      families: ['sqlite'],
    });
    refusesSetting({ families: 'sqlite' }, families, { families: ['sqlite'] });
    refusesSetting({ families: ['oracle'] }, families, { families: ['mysql', 'mysql'] });
  });

  it('a passthrough parameter that belongs to the grammar', () => {
    for (const param of ['filter', 'sort', 'page', 'cursor']) {
      refusesSetting({ passthroughParams: [param] }, new RegExp(`"${param}" belongs`), {
        passthroughParams: ['locale'],
      });
    }
  });

  it('passthrough parameters that no request has', () => {
    for (const passthroughParams of ['locale', [5], ['a[b]']]) {
      refusesSetting({ passthroughParams }, /list of names without brackets/, {
        passthroughParams: ['locale', 'a'],
      });
    }
  });

  it('are absent where they are undefined', () => {
    expect(compile({}, { limits: { maxFilters: undefined } }).limits.maxFilters).toBe(50);
    expect(compile({}, { maxPerPage: undefined }).pagination.maxPerPage).toBe(500);
  });

  it('modes and counts', () => {
    const pagination = (rule: object, settings = {}) =>
      compile({ pagination: rule }, settings).pagination;
    expect(pagination({ mode: 'both', count: 'none' })).toMatchObject({
      mode: 'both',
      count: { type: 'none' },
    });
    expect(pagination({ count: 'capped' }).count).toEqual({ type: 'capped', cap: 10_000 });
    expect(pagination({ count: 'capped' }, { countCap: 7 }).count).toEqual({
      type: 'capped',
      cap: 7,
    });
    expect(pagination({ count: { capped: 3 } }).count).toEqual({ type: 'capped', cap: 3 });
    expect(() => pagination({ mode: 'page' })).toThrow(
      /mode" must be "offset", "keyset" or "both"/,
    );
    expect(() => pagination({ count: 'some' })).toThrow(
      /count" must be "exact", "none" or "capped" or an object/,
    );
    expect(() => pagination({ count: { capped: 0 } })).toThrow(/count.capped/);
    expect(() => pagination({ count: 'capped' }, { countCap: 0 })).toThrow(/settings.countCap/);
  });
});

describe('compiled rules', () => {
  it('are frozen and have one fingerprint per declaration', () => {
    const declaration = { ...filters('name', 'eq'), ...sorts('name') };
    const rules = compile(declaration);
    expect(Object.isFrozen(rules)).toBe(true);
    expect(Object.isFrozen(rules.pagination)).toBe(true);
    expect(compile(declaration).fingerprint).toBe(rules.fingerprint);
    expect(compile(filters('name', 'eq', 'ne')).fingerprint).not.toBe(rules.fingerprint);
  });
});

describe('typed paths of a json field', () => {
  const withPaths = (paths: object, kind: FieldKind = 'json') =>
    defineSchemaRegistry([
      {
        model: 'event',
        primaryKey: ['id'],
        fields: [
          id,
          field('data', kind, { paths: paths as FieldDescriptor['paths'] & object }),
          field('secret', 'json', { paths: { a: 'string' }, internal: true }),
        ],
        relations: [],
      },
    ]);
  const compile = (
    declaration: Partial<QueryRulesDeclaration>,
    paths: object = { 'a.b': 'string' },
  ) =>
    defineQueryRules(withPaths(paths) as SchemaRegistry, 'event', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
      ...declaration,
    });

  it.each([
    '',
    '.a',
    'a.',
    'a..b',
    'a b',
    "a'b",
    'a"b',
    'a[0]',
    '1a',
    'a-b',
    'a.'.repeat(16) + 'a',
  ])('refuses the path %j', (path) => {
    expect(refusalOf(() => withPaths({ [path]: 'string' }))).toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
    });
  });

  it('allows sorts, and search and folding where the endpoint has one database family', () => {
    const native = (declaration: Partial<QueryRulesDeclaration>) =>
      defineQueryRules(
        withPaths({ 'a.b': 'string' }) as SchemaRegistry,
        'event',
        {
          fields: { root: { allowed: ['id', 'data'], default: ['id'] } },
          pagination: { mode: 'keyset' },
          ...declaration,
        },
        { families: ['sqlite'] },
      );
    expect(native({ sorts: ['data.a.b'] }).sorts.has('data.a.b')).toBe(true);
    expect(native({ search: ['data.a.b'] }).search).toHaveLength(1);
    native({ filters: [{ path: 'data.a.b', operators: ['ilike', 'istartsWith'] }] });
    // A cursor would hold a value that no client may see.
    const hidden = { root: { allowed: ['id'], default: ['id'] } };
    expect(refusalOf(() => native({ sorts: ['data.a.b'], fields: hidden }))).toMatchObject({
      details: { rule: 'pagination', path: 'data.a.b' },
    });
  });

  it('refuses other kinds, other fields, search, folding and undeclared paths', () => {
    for (const define of [
      () => withPaths({ a: 'json' }),
      () => withPaths({ a: 'uuid' }),
      () => withPaths({ a: 'string' }, 'string'),
      () => compile({ sorts: ['data.a'] }),
      () => compile({ search: ['data.a.b'] }),
      () => compile({ filters: [{ path: 'data.a.b', operators: ['ilike'] }] }),
      () => compile({ filters: [{ path: 'data.a', operators: ['eq'] }] }),
      () => compile({ filters: [{ path: 'data.constructor', operators: ['eq'] }] }),
      // The values of an internal field could be found out with them.
      () => compile({ filters: [{ path: 'secret.a', operators: ['eq'] }] }),
      () => compile({ filters: [{ path: 'data.a.b', operators: ['like'] }] }, { 'a.b': 'integer' }),
    ]) {
      expect(refusalOf(define)).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
    }
  });

  it('coerces by the kind of the path', () => {
    const rules = compile(
      { filters: [{ path: 'data.n', operators: ['eq', 'isNull'] }] },
      { n: 'integer' },
    );
    expect(rules.filters.get('data.n')?.coerce('7')).toBe(7);
    expect(rules.filters.get('data.n')?.coerce('7.5')).toBeUndefined();
  });
});
