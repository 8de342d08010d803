/** A foreign key is relied on only where the statement reads all rows of its target. */

import { expect, it } from 'vitest';
import {
  type FieldDescriptor,
  type FieldKind,
  defineQueryRules,
  defineSchemaRegistry,
  planQuery,
} from '../../../src/index.ts';
import { type PhysicalModel, compilePlan, postgresql } from '../../../src/relational/index.ts';

const field = (path: string, kind: FieldKind): FieldDescriptor => ({
  path,
  kind,
  nullable: false,
  primaryKey: path === 'id',
});
const fields = [field('id', 'integer'), field('name', 'string')];
const registry = defineSchemaRegistry([
  {
    model: 'user',
    primaryKey: ['id'],
    fields,
    relations: [{ path: 'company', target: 'company', cardinality: 'one', nullable: false }],
  },
  { model: 'company', primaryKey: ['id'], fields, relations: [] },
]);
const rules = defineQueryRules(registry, 'user', {
  sorts: ['company.name'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

const columns = new Map(
  fields.map(({ path, kind }) => [
    path,
    { path, name: path, kind, storage: 'native', sqlType: kind === 'string' ? 'text' : kind },
  ]),
) as PhysicalModel['columns'];

const joined = (isEnforced: boolean, restrictions: PhysicalModel['restrictions'] = []) => {
  const hops = [{ table: { name: 'companies' }, from: ['company_id'], to: ['id'] }];
  const company = {
    path: 'company',
    target: 'company',
    cardinality: 'one',
    hops,
    isEnforced,
  } as const;
  const physical = new Map<string, PhysicalModel>([
    [
      'user',
      {
        model: 'user',
        table: { name: 'users' },
        columns,
        relations: new Map([['company', company]]),
      },
    ],
    [
      'company',
      {
        model: 'company',
        table: { name: 'companies' },
        columns,
        relations: new Map(),
        restrictions,
      },
    ],
  ]);
  const { data } = compilePlan(
    { dialect: postgresql, registry, physical },
    planQuery('sort=company.name', rules),
  );
  return /(left|inner) join/.exec(data.statement.text)?.[1];
};

it('is not relied on where the target has soft-deleted rows, which lists do not read', () => {
  expect(joined(false)).toBe('left');
  expect(joined(true)).toBe('inner');
  expect(joined(true, [{ column: 'deleted_at', isNull: true }])).toBe('left');
});
