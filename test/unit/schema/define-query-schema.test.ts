import { describe, expect, it } from 'vitest';
import { defineQuerySchema } from '../../../src/index.ts';
import type { FieldDescriptor, FieldKind, QuerySchema } from '../../../src/index.ts';
import { refusalOf, thawedParts } from '../refusal.ts';

const field = (path: string, more: Partial<FieldDescriptor> = {}): FieldDescriptor => ({
  path,
  kind: 'string',
  nullable: false,
  primaryKey: false,
  ...more,
});

const id = field('id', { kind: 'integer', primaryKey: true });
const maker = { path: 'maker', target: 'maker', cardinality: 'one', nullable: true } as const;

const schema = (
  fields: readonly FieldDescriptor[],
  more: Partial<QuerySchema> = {},
): QuerySchema => ({
  model: 'article',
  primaryKey: ['id'],
  fields: [id, ...fields],
  relations: [],
  ...more,
});

/** Expects that `refused` fails with this path and reason, and that the similar schema `accepted` passes. */
function refuses(refused: QuerySchema, path: string, reason: RegExp, accepted: QuerySchema) {
  const error = refusalOf(() => defineQuerySchema(refused));
  expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
  expect(error.status).toBe(500);
  expect(error.message).toContain(path);
  expect(error.message).toMatch(reason);
  expect(() => defineQuerySchema(accepted)).not.toThrow();
}

describe('a schema is refused at startup for', () => {
  it('a duplicate path in fields', () => {
    refuses(
      schema([field('name'), field('name')]),
      'article.name',
      /declared twice/,
      schema([field('name'), field('Name')]),
    );
  });

  it('an enum field without enumValues', () => {
    const accepted = schema([field('state', { kind: 'enum', enumValues: ['new'] })]);
    refuses(schema([field('state', { kind: 'enum' })]), 'article.state', /enumValues/, accepted);
    refuses(
      schema([field('state', { kind: 'enum', enumValues: [] })]),
      'article.state',
      /enumValues/,
      accepted,
    );
  });

  it('a relation whose path equals a field name', () => {
    refuses(
      schema([field('maker')], { relations: [maker] }),
      'article.maker',
      /name of a field/,
      schema([field('makerId')], { relations: [maker] }),
    );
  });

  it('an empty primaryKey', () => {
    refuses(
      { ...schema([]), primaryKey: [], fields: [field('id')] },
      'article',
      /primaryKey is empty/,
      schema([]),
    );
  });

  it('a primaryKey part that is undeclared', () => {
    refuses(
      schema([], { primaryKey: ['id', 'line'] }),
      'article.line',
      /not declared/,
      schema([field('line', { primaryKey: true })], { primaryKey: ['id', 'line'] }),
    );
  });

  it('a primaryKey part that is nullable', () => {
    const line = (nullable: boolean) =>
      schema([field('line', { primaryKey: true, nullable })], { primaryKey: ['id', 'line'] });
    refuses(line(true), 'article.line', /must not be nullable/, line(false));
  });

  for (const role of ['foldedField', 'portableOrderField'] as const) {
    const pair = (companion: Partial<FieldDescriptor>) =>
      schema([field('name', { [role]: 'shadow' }), field('shadow', companion)]);

    it(`a ${role} that does not exist`, () => {
      refuses(
        schema([field('name', { [role]: 'shadow' })]),
        'article.name',
        new RegExp(`${role} "shadow" is not declared`),
        pair({ internal: true }),
      );
    });

    it(`a ${role} that is not marked internal`, () => {
      refuses(pair({}), 'article.name', /not internal/, pair({ internal: true }));
      refuses(pair({ internal: false }), 'article.name', /not internal/, pair({ internal: true }));
    });
  }
});

describe('a schema is also refused for', () => {
  it('a companion that is not text', () => {
    const pair = (kind: FieldKind) =>
      schema([field('name', { foldedField: 'shadow' }), field('shadow', { kind, internal: true })]);
    refuses(pair('integer'), 'article.name', /not of kind string/, pair('string'));
  });

  it('a foldedField on a kind that is never folded', () => {
    const folded = (kind: FieldKind) =>
      schema([
        field('stock', { kind, foldedField: 'shadow' }),
        field('shadow', { internal: true }),
      ]);
    refuses(folded('integer'), 'article.stock', /remove "foldedField"/, folded('uuid'));
  });

  it('an unknown kind, also a name inherited from Object', () => {
    for (const kind of ['text', 'constructor', '__proto__'] as unknown as FieldKind[]) {
      refuses(
        schema([field('name', { kind })]),
        'article.name',
        /unknown kind; use one of string, uuid/,
        schema([field('name', { kind: 'string' })]),
      );
    }
  });

  it('a field or relation called __proto__, which a row cannot have', () => {
    const names = (path: string, relation: string): QuerySchema => ({
      ...schema([field(path)]),
      relations: [{ path: relation, target: 'article', cardinality: 'one', nullable: true }],
    });
    const accepted = names('constructor', 'toString');
    refuses(names('__proto__', 'next'), 'article', /a field path .* is not __proto__/, accepted);
    refuses(names('name', '__proto__'), 'article', /a relation path .* is not __proto__/, accepted);
  });

  it('a duplicate enum member', () => {
    const state = (...enumValues: string[]) =>
      schema([field('state', { kind: 'enum', enumValues })]);
    refuses(state('new', 'new'), 'article.state', /member twice/, state('new', 'New'));
  });

  it('a name that is not an identifier', () => {
    for (const path of ['', '1st', 'a.b', 'a-b', 'a b', 'naïve']) {
      const rename = `rename "${path}".`;
      refuses(schema([field(path)]), rename, /^article: a field path/, schema([field('_a1')]));
      refuses(
        schema([], { relations: [{ ...maker, path }] }),
        rename,
        /^article: a relation path/,
        schema([], { relations: [maker] }),
      );
      refuses(schema([], { model: path }), rename, /^"model"/, schema([], { model: '_Article1' }));
    }
  });

  it('a primaryKey part that is duplicated or not marked, and a marked field that is not part of it', () => {
    const line = field('line', { primaryKey: true });
    const both = schema([line], { primaryKey: ['id', 'line'] });
    refuses(schema([line], { primaryKey: ['id', 'id'] }), 'article', /twice/, both);
    refuses(
      schema([field('line')], { primaryKey: ['id', 'line'] }),
      'article.line',
      /not marked/,
      both,
    );
    refuses(schema([line]), 'article.line', /does not name it/, both);
  });

  it('a relation that is declared twice or has an unknown cardinality', () => {
    const accepted = schema([], { relations: [maker, { ...maker, path: 'seller' }] });
    refuses(schema([], { relations: [maker, maker] }), 'article.maker', /declared twice/, accepted);
    const cardinality = 'few' as 'many';
    refuses(
      schema([], { relations: [{ ...maker, cardinality }] }),
      'article.maker',
      /"one" or "many"/,
      accepted,
    );
  });
});

describe('a schema written without TypeScript is refused for', () => {
  const malformed = (change: object, path: string, reason: RegExp) =>
    refuses({ ...schema([]), ...change } as QuerySchema, path, reason, schema([]));

  it('not being an object, or lacking its lists', () => {
    for (const none of [null, undefined, 'article', [schema([])]]) {
      expect(refusalOf(() => defineQuerySchema(none as unknown as QuerySchema)).message).toMatch(
        /must be an object/,
      );
    }
    for (const list of [undefined, null, 'id', { id }, [null], ['id']]) {
      malformed({ fields: list }, 'article', /"fields" must be a list of objects/);
      malformed({ relations: list }, 'article', /"relations" must be a list of objects/);
    }
  });

  it('a field or relation without a required member', () => {
    const without = (part: object, member: string) => ({ ...part, [member]: undefined });
    for (const member of ['nullable', 'primaryKey']) {
      malformed(
        { fields: [without(id, member)] },
        'article.id',
        new RegExp(`${member}" must be a boolean`),
      );
    }
    malformed(
      { relations: [without(maker, 'target')] },
      'article.maker',
      /target" must be a string/,
    );
    malformed(
      { relations: [without(maker, 'nullable')] },
      'article.maker',
      /nullable" must be a boolean/,
    );
    malformed(
      { fields: [id, { ...field('state', { kind: 'enum' }), enumValues: [1, 2] }] },
      'article.state',
      /list of strings/,
    );
  });

  it('an unknown property, such as a misspelled one that would expose an internal field', () => {
    malformed(
      { fields: [id, { ...field('secret'), Internal: true }] },
      'article.secret',
      /"fields\[1\]\.Internal" is not an option .*; did you mean "fields\[1\]\.internal"/,
    );
    malformed({ primarykey: ['id'] }, 'article', /did you mean "primaryKey"/);
  });
});

describe('companions', () => {
  const companion = (own: Partial<FieldDescriptor>, nullable: boolean) =>
    schema([field('code', own), field('shadow', { internal: true, nullable })]);

  it('must be nullable for a nullable field', () => {
    for (const role of ['foldedField', 'portableOrderField'] as const) {
      const own = { kind: 'uuid', nullable: true, [role]: 'shadow' } as const;
      refuses(
        companion(own, false),
        'article.code',
        /the companion of null is null/,
        companion(own, true),
      );
      expect(() => defineQuerySchema(companion({ ...own, nullable: false }, true))).not.toThrow();
    }
  });

  it('of an opaque kind have no order key', () => {
    for (const kind of ['json', 'binary'] as const) {
      refuses(
        companion({ kind, portableOrderField: 'shadow' }, false),
        'article.code',
        /have no order/,
        companion({ kind }, false),
      );
    }
  });
});

describe('an accepted schema', () => {
  it('is returned as a deeply frozen copy', () => {
    const given = schema([field('state', { kind: 'enum', enumValues: ['new', 'used'] })], {
      relations: [maker],
    });
    const defined = defineQuerySchema(given);
    expect(defined).toEqual(given);
    expect(defined).not.toBe(given);
    expect(thawedParts(defined)).toEqual([]);
    expect(Object.isFrozen(given.fields)).toBe(false);
  });

  it('may have a composite key, in any order', () => {
    const line = field('line', { primaryKey: true });
    const defined = defineQuerySchema(schema([line], { primaryKey: ['line', 'id'] }));
    expect(defined.primaryKey).toEqual(['line', 'id']);
  });
});
