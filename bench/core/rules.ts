/** The models and the rules of the core benchmark: a user with twenty filterable fields and a company. */

import { defineQueryRules, defineQuerySchema, defineSchemaRegistry } from '../../src/index.ts';
import type {
  CompiledQueryRules,
  FieldDescriptor,
  FieldKind,
  OperatorName,
} from '../../src/index.ts';

const field = (path: string, kind: FieldKind): FieldDescriptor => ({
  path,
  kind,
  nullable: false,
  primaryKey: path === 'id',
});

const folded = (path: string): FieldDescriptor[] => [
  { ...field(path, 'string'), foldedField: `${path}Folded` },
  { ...field(`${path}Folded`, 'string'), internal: true },
];

/** Paths of `user` with all order comparisons. */
export const comparedPaths: readonly string[] = [
  'age',
  'logins',
  'visits',
  'points',
  'level',
  'rank',
  'height',
  'weight',
  'karma',
  'score',
];

const user = defineQuerySchema({
  model: 'user',
  primaryKey: ['id'],
  fields: [
    field('id', 'integer'),
    ...folded('name'),
    ...folded('email'),
    field('active', 'boolean'),
    field('createdAt', 'datetime'),
    ...comparedPaths.map((path) => field(path, 'integer')),
  ],
  relations: [{ path: 'company', target: 'company', cardinality: 'one', nullable: false }],
});

const company = defineQuerySchema({
  model: 'company',
  primaryKey: ['id'],
  fields: [field('id', 'integer'), ...folded('name'), field('country', 'string')],
  relations: [],
});

/** Operators of each compared path. */
export const comparisons: readonly OperatorName[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];

export const rules: CompiledQueryRules = defineQueryRules(
  defineSchemaRegistry([user, company]),
  'user',
  {
    filters: [
      ...comparedPaths.map((path) => ({ path, operators: comparisons })),
      { path: 'active', operators: ['eq'] },
      { path: 'name', operators: ['eq', 'ilike'] },
      { path: 'createdAt', operators: ['gte', 'lt'] },
      { path: 'company.name', operators: ['eq', 'ilike'] },
    ],
    sorts: ['name', 'createdAt', 'age', 'company.name'],
    fields: {
      root: {
        allowed: ['id', 'name', 'email', 'age', 'active', 'createdAt'],
        default: ['id', 'name'],
      },
      relations: { company: { allowed: ['id', 'name', 'country'], default: ['id', 'name'] } },
    },
    includes: ['company'],
    search: ['name', 'email'],
  },
);
