/** The models and the rules of the core benchmark: a user with twenty filterable fields, a company and posts. */

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
  relations: [
    { path: 'company', target: 'company', cardinality: 'one', nullable: false },
    { path: 'posts', target: 'post', cardinality: 'many', nullable: false },
  ],
});

const post = defineQuerySchema({
  model: 'post',
  primaryKey: ['id'],
  fields: [
    field('id', 'integer'),
    ...folded('title'),
    field('likes', 'integer'),
    field('published', 'boolean'),
    field('createdAt', 'datetime'),
  ],
  relations: [],
});

const company = defineQuerySchema({
  model: 'company',
  primaryKey: ['id'],
  fields: [field('id', 'integer'), ...folded('name'), field('country', 'string')],
  relations: [],
});

/** Operators of each compared path. */
export const comparisons: readonly OperatorName[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];

const registry = defineSchemaRegistry([user, company, post]);

const declared = {
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
} as const;

export const rules: CompiledQueryRules = defineQueryRules(registry, 'user', declared);

const children = { allowed: ['id', 'title', 'createdAt'], default: ['id', 'title'] } as const;

/** The same with groups, quantifiers, values over relations, children and filters as text. */
export const formRules: CompiledQueryRules = defineQueryRules(
  registry,
  'user',
  {
    ...declared,
    filters: [
      ...declared.filters,
      { path: 'id', operators: ['in'] },
      { path: 'posts.title', operators: ['eq', 'ilike'] },
      { path: 'posts.likes', operators: ['gte', 'lt'] },
      { path: 'posts.published', operators: ['eq'] },
      { path: 'posts.$count', operators: ['gte', 'lte'] },
      { path: 'posts.$sum.likes', operators: ['gte', 'lte'] },
    ],
    groups: { depth: 4, terms: 50 },
    quantifiers: ['posts'],
    aggregates: { posts: { count: true, sum: ['likes'], max: ['createdAt'] } },
    where: true,
    sorts: [...declared.sorts, 'posts.$count'],
    fields: {
      root: {
        allowed: [...declared.fields.root.allowed, 'posts.$count', 'posts.$max.createdAt'],
        default: ['id', 'name'],
      },
      relations: { ...declared.fields.relations, posts: children },
    },
    includes: ['company', 'posts'],
    children: {
      posts: {
        filters: [
          { path: 'title', operators: ['ilike'] },
          { path: 'likes', operators: ['gte'] },
          { path: 'published', operators: ['eq'] },
        ],
        sorts: ['createdAt'],
      },
    },
  },
  { limits: { maxListLength: 8000, maxQueryLength: 100_000, cost: 1_000_000 } },
);
