/** The parts of the companion migration that need no database: planning, values, names of indexes. */

import { describe, expect, it } from 'vitest';
import type { CompanionModel } from '../../../src/relational/companions/index.ts';
import { indexName } from '../../../src/relational/companions/index-statements.ts';
import type { FieldDescriptor, FieldKind, QuerySchema } from '../../../src/schema/index.ts';
import { planCompanions } from '../../../src/relational/companions/plan.ts';
import { companionValue } from '../../../src/relational/companions/back-fill.ts';

const id: FieldDescriptor = { path: 'id', kind: 'integer', nullable: false, primaryKey: true };
const field = (path: string, rest: Partial<FieldDescriptor> = {}): FieldDescriptor => {
  return { path, kind: 'string', nullable: true, primaryKey: false, ...rest };
};
const schema = (...fields: FieldDescriptor[]): QuerySchema => {
  return { model: 'user', primaryKey: ['id'], fields: [id, ...fields], relations: [] };
};
const folded = field('folded', { internal: true });

describe('planCompanions', () => {
  it('takes table and columns from model and paths, and leaves out models without companions', () => {
    const withName = schema(field('name', { foldedField: 'folded' }), folded);
    const [task, ...others] = planCompanions([
      { schema: withName },
      { schema: schema(field('name')) },
    ]);
    expect(others).toEqual([]);
    expect(task).toMatchObject({
      model: 'user',
      table: { name: 'user' },
      keys: ['id'],
      companions: [{ role: 'folded', source: 'name', column: 'folded' }],
    });
  });

  it('takes the names it is given, and no inherited ones', () => {
    const model: CompanionModel = {
      schema: schema(field('constructor', { foldedField: 'folded' }), folded),
      table: { schema: 'app', name: 'users' },
      columns: { id: 'user id', folded: 'constructor_folded' },
    };
    expect(planCompanions([model])).toMatchObject([
      {
        table: { schema: 'app', name: 'users' },
        keys: ['user id'],
        companions: [{ source: 'constructor', column: 'constructor_folded' }],
      },
    ]);
  });

  it.each<[string, CompanionModel]>([
    [
      'share the companion column',
      {
        schema: schema(
          field('a', { foldedField: 'folded' }),
          field('b', { foldedField: 'folded' }),
          folded,
        ),
      },
    ],
    [
      'is also a companion column',
      { schema: schema(field('a', { foldedField: 'folded' }), folded), columns: { folded: 'a' } },
    ],
    [
      'must not contain a question mark',
      { schema: schema(field('a', { foldedField: 'folded' }), folded), table: 'who?' },
    ],
  ])('refuses a model that cannot work: %s', (message, model) => {
    expect(() => planCompanions([model])).toThrow(
      expect.objectContaining({
        code: 'SOURCE_CONFIGURATION_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('companionValue', () => {
  it.each<[FieldKind, string, string | undefined]>([
    ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['decimal', '1.0e+21', '1221000000000000000000000'],
    ['decimal', 'NaN', undefined],
    ['boolean', 't', undefined],
    ['datetime', '2024-03-10 12:34:56.789000', '2024-03-10T12:34:56.789'],
    ['datetime', '2024-03-10 14:34:56.789001+02', '2024-03-10T12:34:56.789001'],
    ['datetime', '2024-03-10T14:34:56+0200', '2024-03-10T12:34:56.000'],
    ['datetime', '2024-03-10T12:34:56.5Z', '2024-03-10T12:34:56.500'],
    ['datetime', '1710074096789', undefined],
  ])('makes the order key of a %s that a database gave as %j', (kind, text, key) => {
    const companion = {
      role: 'order',
      field: field('at', { kind }),
      source: 'at',
      column: 'o',
    } as const;
    expect(companionValue(companion, text)).toBe(key);
  });
});

describe('indexName', () => {
  it('is readable where it fits, and distinct and short enough where it does not', () => {
    expect(indexName('users', 'name_folded', 63)).toBe('users_name_folded_idx');
    const long = 'ü'.repeat(40);
    const names = [indexName(long, 'a', 63), indexName(long, 'b', 63)];
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  });
});
