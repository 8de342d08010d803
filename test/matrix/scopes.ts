/** Scopes of the matrix: who may see which rows of which model, in several ways of saying it. */

import type { ModelScopes, OperatorName, PlanValue, Predicate } from '../../src/index.ts';
import type { World } from './fixtures/dataset.ts';
import { models } from './fixtures/models.ts';
import { satisfies } from './reference/evaluate.ts';

/** The values of a request. */
export interface Tenant {
  readonly regions: readonly number[];
  readonly teams: readonly number[];
  readonly companies: readonly number[];
  readonly countries: readonly string[];
  readonly limit: number;
  readonly text: string;
}

const condition = (
  path: string,
  operator: OperatorName,
  value: PlanValue | readonly PlanValue[],
): Predicate => ({ type: 'condition', path, operator, value });
const all = (...predicates: Predicate[]): Predicate => ({ type: 'and', predicates });
const any = (...predicates: Predicate[]): Predicate => ({ type: 'or', predicates });

/** Scopes by the way in which they are said. */
export const schemes: { readonly [name: string]: ModelScopes<Tenant> } = {
  /** Columns of the model itself, as a tenant column is, and models that everybody sees. */
  'own fields': {
    user: ({ companies, limit }) =>
      any(condition('companyId', 'in', companies), condition('score', 'gte', limit)),
    company: ({ companies }) => condition('id', 'in', companies),
    country: ({ countries }) => condition('code', 'in', countries),
    region: 'unscoped',
    language: 'unscoped',
    city: ({ limit }) => condition('population', 'gte', limit),
    order: ({ limit }) => all(condition('status', 'ne', 'paid'), condition('total', 'gt', -limit)),
    orderLine: ({ limit }) => condition('lineNo', 'lte', limit),
    lineNote: ({ limit }) => condition('id', 'gt', limit),
    team: ({ teams }) => condition('id', 'in', teams),
  },
  /** Up to four relations away, `one` and `many`. */
  'paths through relations': {
    user: ({ regions, teams }) =>
      any(
        condition('company.country.region.id', 'in', regions),
        condition('teams.id', 'in', teams),
      ),
    company: ({ regions }) => condition('country.region.id', 'in', regions),
    country: ({ regions, companies }) =>
      any(condition('regionId', 'in', regions), condition('companies.id', 'in', companies)),
    region: ({ companies }) => condition('countries.companies.id', 'in', companies),
    language: ({ regions }) => condition('countries.regionId', 'in', regions),
    city: ({ regions }) => condition('country.region.id', 'in', regions),
    order: ({ regions, limit }) =>
      any(
        condition('user.company.country.regionId', 'in', regions),
        condition('lines.qty', 'gt', limit),
      ),
    orderLine: ({ companies }) => condition('order.user.company.id', 'in', companies),
    lineNote: ({ companies, limit }) =>
      all(
        condition('line.order.user.companyId', 'in', companies),
        condition('line.qty', 'ne', limit),
      ),
    team: ({ companies }) => condition('users.company.id', 'in', companies),
  },
  /** Conditions that an absent relation meets, empty lists, negations and patterns. */
  'absence and negation': {
    user: ({ text, companies }) =>
      text === ''
        ? any(
            condition('company.country', 'isNull', true),
            condition('manager.companyId', 'notIn', companies),
          )
        : any(
            condition('company.motto', 'isNull', true),
            condition('manager.name', 'notLike', text),
          ),
    company: ({ countries }) => condition('country.code', 'notIn', countries),
    country: ({ text }) => condition('companies', 'isNull', text === ''),
    region: ({ text }) => condition('name', 'notIlike', text.toLowerCase()),
    language: ({ text }) => any(condition('countries.name', 'like', text), any()),
    city: () => all(),
    order: ({ companies }) =>
      any(
        condition('approver.company.motto', 'isNull', true),
        condition('approver.companyId', 'notIn', companies),
      ),
    orderLine: ({ text }) => condition('notes', 'isNull', text === 'a'),
    lineNote: ({ text }) => condition('line.order.coupon', 'isNull', text !== 'a'),
    team: ({ limit }) => condition('users.score', 'ne', limit),
  },
};

/** The world that a tenant would have if it were alone: the rows of its scopes and no others. */
export function worldOf(world: World, scopes: ModelScopes<Tenant>, tenant: Tenant): World {
  const rows = models.map(({ model }) => {
    const scope = scopes[model];
    const all = world.rows.get(model) ?? [];
    if (scope === undefined) throw new TypeError(`${model} has no scope.`);
    if (scope === 'unscoped') return [model, all] as const;
    const predicate = scope(tenant);
    return [model, all.filter((row) => satisfies(world, model, row, predicate))] as const;
  });
  return { rows: new Map(rows), joins: world.joins };
}
