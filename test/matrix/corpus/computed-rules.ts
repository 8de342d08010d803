/** Rules of users with computed fields: their own, of rows behind relations, in lists, groups, quantifiers and values. */

import type { QueryRulesDeclaration } from '../../../src/index.ts';
import { equality, folded, order, rule, text } from './rule.ts';
import { users } from './user-rules.ts';

const own = [
  'label',
  'handle',
  'decade',
  'half',
  'surplus',
  'size',
  'adult',
  'since',
  'lastSeen',
] as const;

const fields = users.fields as Exclude<QueryRulesDeclaration['fields'], 'all'>;
const root = fields.root as Exclude<typeof fields.root, 'all'>;

/** The rules. */
export const computed: QueryRulesDeclaration = {
  ...users,
  groups: { depth: 2, terms: 8 },
  quantifiers: ['orders', 'orders.lines', 'company.users'],
  aggregates: {
    orders: {
      count: true,
      sum: ['cents'],
      max: ['grade', 'heading'],
      where: { high: { type: 'condition', path: 'grade', operator: 'eq', value: 'High' } },
    },
    reports: { min: ['lastSeen', 'since'], max: ['surplus'] },
  },
  filters: [
    ...(users.filters ?? []),
    rule('label', equality, order, text),
    rule('handle', equality, order, text, folded, 'isNull'),
    rule('decade', equality, order, 'isNull'),
    rule('half', equality, order),
    rule('surplus', equality, order, 'isNull'),
    rule('size', equality, order, 'isNull'),
    rule('adult', equality, 'isNull'),
    rule('since', equality, order),
    { ...rule('lastSeen', equality, order), wholeDays: true },
    rule('company.slogan', equality, order, text, folded),
    rule('manager.label', equality, text),
    rule('manager.decade', equality, order, 'isNull'),
    rule('company.users.adult', equality),
    rule('orders.grade', equality, order, text),
    rule('orders.cents', equality, order),
    rule('orders.heading', equality, text),
    rule('orders.lines.raised', equality, order, 'isNull'),
    rule('orders.$sum.cents', order),
    rule('orders.$max.grade', equality, 'isNull'),
    rule('reports.$min.lastSeen', order),
  ],
  sorts: [
    ...(users.sorts ?? []),
    ...own.filter((path) => path !== 'handle'),
    { path: 'handle', nulls: 'last' },
    'company.slogan',
    'manager.label',
    'manager.lastSeen',
    'orders.$max.heading',
  ],
  fields: {
    root: {
      allowed: [
        ...root.allowed,
        ...own,
        'orders.$sum.cents',
        'orders.$max.grade',
        'orders.$count.high',
        'reports.$min.since',
        'reports.$max.surplus',
      ],
      default: root.default,
    },
    relations: {
      ...fields.relations,
      company: { allowed: ['id', 'slogan'], default: ['id', 'slogan'] },
      manager: { allowed: ['id', 'label', 'lastSeen'], default: ['label'] },
      orders: {
        allowed: ['id', 'title', 'grade', 'cents', 'heading'],
        default: ['id', 'grade', 'cents'],
      },
      'orders.lines': { allowed: ['lineNo', 'raised'], default: ['lineNo', 'raised'] },
    },
  },
  children: {
    orders: { filters: [rule('grade', equality)], sorts: ['cents', 'heading'] },
    'orders.lines': { sorts: ['raised'] },
  },
  search: ['handle', 'company.slogan'],
  pagination: { mode: 'both' },
};
