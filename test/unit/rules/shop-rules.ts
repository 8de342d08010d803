/** Rules that let a client ask nearly everything of the shop's articles. */

import { defineQueryRules, planQuery } from '../../../src/index.ts';
import type {
  CompiledQueryRules,
  ConditionPredicate,
  PaginationRule,
  Predicate,
  QueryPlan,
  QuerySettings,
} from '../../../src/index.ts';
import { shopRegistry } from './shop.ts';
import { cursorKeys } from '../../cursor-keys.ts';

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const order = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
const text = ['like', 'notLike', 'ilike', 'notIlike'] as const;

export function shopRules(
  pagination: PaginationRule = {},
  settings: QuerySettings = {},
): CompiledQueryRules {
  return defineQueryRules(
    shopRegistry,
    'article',
    {
      filters: [
        { path: 'name', operators: [...equality, ...order, ...text] },
        { path: 'code', operators: [...equality, 'like', 'notLike'] },
        { path: 'state', operators: [...equality, 'like', 'notLike'] },
        { path: 'stock', operators: [...equality, ...order, 'isNull'] },
        { path: 'serial', operators: [...equality, ...order] },
        { path: 'price', operators: [...equality, ...order] },
        { path: 'sold', operators: equality },
        { path: 'day', operators: [...equality, ...order] },
        { path: 'changedAt', operators: [...equality, ...order, 'isNull'] },
        { path: 'maker', operators: ['isNull'] },
        { path: 'maker.name', operators: ['eq', 'ilike'] },
        { path: 'labels.text', operators: ['eq', 'in'] },
      ],
      sorts: ['name', 'price', 'id', { path: 'stock', nulls: 'last' }, 'changedAt', 'maker.name'],
      fields: {
        root: { allowed: ['id', 'name', 'stock', 'price'], default: ['id', 'name'] },
        relations: {
          maker: { allowed: ['maker.*'], default: ['name'] },
          'maker.articles': { allowed: ['id', 'name'], default: ['id'] },
          labels: { allowed: ['id', 'text'], default: ['text'] },
        },
      },
      includes: ['maker', 'maker.articles', 'labels'],
      search: ['name', 'maker.name'],
      pagination,
    },
    { cursorKeys, ...settings },
  );
}

/** The conditions of a plan, which are AND-ed. */
export function conditionsOf({ where }: Pick<QueryPlan, 'where'>): readonly Predicate[] {
  if (where === null) return [];
  return where.type === 'and' ? where.predicates : [where];
}

export function condition(
  path: string,
  operator: ConditionPredicate['operator'],
  value: ConditionPredicate['value'],
): ConditionPredicate {
  return { type: 'condition', path, operator, value };
}

/** The value a plan carries for one filter. */
export function valueOf(
  rules: CompiledQueryRules,
  path: string,
  operator: string,
  text: string,
): ConditionPredicate['value'] {
  const plan = planQuery(new URLSearchParams([[`filter[${path}][${operator}]`, text]]), rules);
  return (plan.where as ConditionPredicate).value;
}
