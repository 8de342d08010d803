/** Rules of users with values over relations of every form, and named conditions of their rows. */

import type { QueryRulesDeclaration } from '../../../src/index.ts';
import { equality, order, rule, text } from './rule.ts';
import { users } from './user-rules.ts';

const condition = (path: string, operator: 'eq' | 'ne' | 'isNull', value: string | boolean) =>
  ({ type: 'condition', path, operator, value }) as const;

const shown = [
  'orders.$count',
  'orders.$count.small',
  'orders.$count.approved',
  'orders.$count.unnoted',
  'orders.$sum.total',
  'orders.$sum.total.small',
  'orders.$min.placedAt',
  'orders.$max.placedAt',
  'orders.$max.total',
  'orders.$min.title',
  'reports.$count',
  'reports.$sum.score',
  'reports.$max.joinedOn',
  'reports.$max.views',
  'teams.$count',
] as const;

const behindOne = ['company.users.$count', 'company.country.languages.$count'] as const;

const fields = users.fields as Exclude<QueryRulesDeclaration['fields'], 'all'>;
const root = fields.root as Exclude<typeof fields.root, 'all'>;

/** The rules. */
export const counted: QueryRulesDeclaration = {
  ...users,
  groups: { depth: 2, terms: 8 },
  quantifiers: ['orders'],
  aggregates: {
    orders: {
      count: true,
      sum: ['total'],
      min: ['placedAt', 'title'],
      max: ['placedAt', 'total'],
      where: {
        small: condition('group', 'eq', 'A'),
        approved: {
          type: 'or',
          predicates: [
            condition('approver.company.name', 'ne', 'x'),
            condition('status', 'eq', 'sent'),
          ],
        },
        unnoted: {
          type: 'none',
          path: 'lines',
          predicates: [condition('notes', 'isNull', false)],
        },
      },
    },
    'orders.lines': { count: true, sum: ['qty', 'price'] },
    reports: { count: true, sum: ['score'], max: ['joinedOn', 'views'] },
    teams: { count: true },
    'company.users': { count: true },
    'company.country.languages': { count: true },
  },
  filters: [
    ...(users.filters ?? []),
    ...shown
      .filter((path) => /count|sum/.test(path))
      .map((path) => rule(path, equality, order, path.includes('sum') ? 'isNull' : [])),
    rule('orders.$max.placedAt', equality, order, 'isNull'),
    rule('orders.$max.total', equality, order),
    rule('orders.$min.title', equality, order, text, 'isNull'),
    rule('reports.$max.views', equality, order, 'isNull'),
    rule('reports.$max.joinedOn', order),
    ...behindOne.map((path) => rule(path, equality, order)),
    rule('orders.lines.$count', equality, order),
    rule('orders.lines.$sum.price', order, 'isNull'),
  ],
  sorts: [
    ...(users.sorts ?? []),
    ...shown,
    ...behindOne,
    { path: 'orders.$max.total', nulls: 'last' as const },
  ].filter((sort) => sort !== 'orders.$max.total'),
  fields: {
    root: { allowed: [...root.allowed, ...shown], default: root.default },
    relations: {
      ...fields.relations,
      company: {
        allowed: ['id', 'name', 'company.users.$count'],
        default: ['id', 'company.users.$count'],
      },
      'company.country': {
        allowed: ['code', 'languages.$count'],
        default: ['code', 'languages.$count'],
      },
      orders: {
        allowed: ['id', 'title', 'lines.$count', 'lines.$sum.qty', 'orders.lines.$sum.price'],
        default: ['id', 'lines.$count'],
      },
    },
  },
  children: {
    reports: { filters: [rule('name', equality)], sorts: ['name'] },
    orders: {
      filters: [rule('group', equality), rule('approver.name', equality)],
      sorts: ['total', 'approver.name'],
    },
    teams: { filters: [rule('name', equality)] },
  },
  pagination: { mode: 'both' },
};
