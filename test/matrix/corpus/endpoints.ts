/** The endpoints of the corpus: rules by name, compiled against the registry of a cell. */

import type { CompiledQueryRules } from '../../../src/index.ts';
import { defineQueryRules } from '../../../src/index.ts';
import type { QueryRulesDeclaration, QuerySettings } from '../../../src/index.ts';
import type { SchemaRegistry } from '../../../src/schema/index.ts';
import { computed } from './computed-rules.ts';
import { counted } from './counted-rules.ts';
import { arrays, equality, folded, order, rule, text } from './rule.ts';
import { users } from './user-rules.ts';
import { cursorKeys } from '../../cursor-keys.ts';

/** An endpoint. */
export interface EndpointDeclaration {
  readonly model: string;
  readonly rules: QueryRulesDeclaration;
  readonly settings?: QuerySettings;
  /** Whether the rules are for the family of the registry alone, and use its order and case folding. */
  readonly native?: boolean;
}

/** Endpoints by name. */
export const endpoints = {
  users: { model: 'user', rules: users },
  /** The example of the design documents. */
  example: {
    model: 'user',
    rules: {
      filters: [rule('age', 'gte')],
      sorts: ['createdAt'],
      fields: {
        root: {
          allowed: ['id', 'name', 'age', 'createdAt'],
          default: ['id', 'name', 'age', 'createdAt'],
        },
        relations: { company: { allowed: ['id', 'name'], default: ['id', 'name'] } },
      },
      includes: ['company'],
    },
  },
  /** Search across one and many relations. */
  usersSearch: {
    model: 'user',
    rules: { ...users, search: ['name', 'company.name', 'teams.name', 'orders.lines.product'] },
  },
  usersNullsFixed: {
    model: 'user',
    rules: {
      ...users,
      sorts: [
        { path: 'age', nulls: 'last' },
        { path: 'nickname', nulls: 'first' },
        { path: 'company.name', nulls: 'last' },
      ],
    },
  },
  /** Groups of filters, and quantifiers over relations of every form. */
  usersGrouped: {
    model: 'user',
    rules: {
      ...users,
      groups: { depth: 3, terms: 12 },
      where: true,
      quantifiers: [
        'orders',
        'orders.lines',
        'orders.lines.notes',
        'teams',
        'teams.users',
        'company.users',
        'company.country.languages',
        { path: 'reports', quantifiers: ['some', 'none'] },
      ],
      pagination: { mode: 'both' },
    },
    settings: { limits: { cost: 10_000 } },
  },
  /** Children of every form of relation as asked for. */
  usersChildren: {
    model: 'user',
    rules: {
      ...users,
      children: {
        orders: {
          filters: [
            rule('id', equality, order),
            rule('group', equality),
            rule('title', equality, order, text, folded),
            rule('status', equality, order),
            rule('coupon', equality, text, folded, 'isNull'),
            rule('total', equality, order),
            rule('placedAt', equality, order),
            rule('approver', 'isNull'),
            rule('approver.name', equality, text),
            rule('approver.company.name', equality, folded),
            rule('approver.teams.name', equality, folded),
            rule('lines', 'isNull'),
            rule('lines.product', equality, text, folded),
            rule('lines.price', equality, order, 'isNull'),
          ],
          groups: { depth: 2, terms: 8 },
          quantifiers: ['lines', 'approver.teams'],
          sorts: [
            'group',
            'title',
            'status',
            { path: 'coupon', nulls: 'last' },
            'total',
            'placedAt',
            'approver.name',
            'approver.company.name',
          ],
          maxPerPage: 50,
        },
        'orders.lines': {
          filters: [
            rule('product', equality, text, folded),
            rule('price', equality, order, 'isNull'),
            rule('order.title', equality),
            rule('notes.text', equality, text, 'isNull'),
          ],
          sorts: ['product', 'qty', 'price', 'order.title'],
        },
        'orders.lines.notes': { sorts: ['text'] },
        reports: {
          filters: [
            rule('name', equality, text, folded),
            rule('age', equality, order, 'isNull'),
            rule('active', equality),
            rule('role', equality, order, text, folded),
            rule('mood', equality, text, 'isNull'),
            rule('company.name', equality, folded),
            rule('reports.name', equality),
          ],
          sorts: ['name', 'age', 'role', 'fortune', 'company.name', 'manager.name'],
          maxPerPage: 3,
        },
        teams: {
          filters: [rule('id', equality, order), rule('name', equality, folded)],
          sorts: ['id', 'name'],
        },
        'teams.users': {
          filters: [rule('score', equality, order), rule('company', 'isNull')],
          sorts: ['score', 'company.name'],
        },
        'company.country.languages': {
          filters: [rule('name', equality, text, folded)],
          sorts: ['code', 'name'],
        },
      },
      pagination: { mode: 'both' },
    },
    settings: { limits: { cost: 10_000 } },
  },
  /** Fields that the database computes, of every kind. */
  usersComputed: { model: 'user', rules: computed, settings: { limits: { cost: 10_000 } } },
  /** Values over relations of every form. */
  usersCounted: { model: 'user', rules: counted, settings: { limits: { cost: 10_000 } } },
  /** Groups within the usual budget. */
  usersThrifty: {
    model: 'user',
    rules: { ...users, groups: { depth: 1, terms: 12 }, quantifiers: ['orders', 'orders.lines'] },
  },
  usersKeyset: { model: 'user', rules: { ...users, pagination: { mode: 'keyset' } } },
  usersBoth: { model: 'user', rules: { ...users, pagination: { mode: 'both' } } },
  usersCapped: { model: 'user', rules: { ...users, pagination: { count: { capped: 7 } } } },
  usersUncounted: { model: 'user', rules: { ...users, pagination: { count: 'none' } } },
  usersCap: { model: 'user', rules: { ...users, pagination: { maxUnpaginatedRows: 5 } } },
  usersPagedOnly: { model: 'user', rules: { ...users, pagination: { allowUnpaginated: false } } },
  usersBounded: {
    model: 'user',
    rules: users,
    settings: {
      maxPerPage: 20,
      defaultPerPage: 3,
      limits: {
        maxFilters: 2,
        maxListLength: 3,
        maxTextLength: 5,
        maxOffset: 40,
        maxQueryLength: 200,
      },
      passthroughParams: ['tenant'],
    },
  },
  companies: {
    model: 'company',
    rules: {
      filters: [
        rule('name', equality, order, text, folded),
        rule('motto', equality, text, folded, 'isNull'),
        rule('foundedOn', equality, order, 'isNull'),
        rule('country', 'isNull'),
        rule('country.name', equality, text, folded),
        rule('country.area', order),
        rule('users', 'isNull'),
        rule('users.name', equality, text, folded),
        rule('users.score', equality, order),
        rule('users.orders.lines.product', equality, folded),
      ],
      sorts: ['name', 'motto', 'foundedOn', 'country.name', 'country.area'],
      fields: {
        root: { allowed: ['id', 'name', 'motto', 'foundedOn'], default: ['id', 'name'] },
        relations: {
          country: { allowed: ['country.*'], default: ['name'] },
          users: { allowed: ['id', 'name'], default: ['id'] },
        },
      },
      includes: ['country', 'users'],
      search: ['name', 'motto', 'country.name'],
    },
  },
  countries: {
    model: 'country',
    rules: {
      filters: [
        rule('code', equality, order, text),
        rule('name', equality, order, text, folded),
        rule('englishName', equality, text, folded),
        rule('area', equality, order),
        rule('region.name', equality),
        rule('languages', 'isNull'),
        rule('languages.name', equality, text, folded),
        rule('cities.name', equality, folded),
        rule('cities.capital', equality),
        rule('companies', 'isNull'),
      ],
      sorts: ['code', 'name', 'englishName', 'area', 'region.name'],
      fields: {
        root: { allowed: ['code', 'name', 'englishName', 'area'], default: ['code', 'name'] },
        relations: {
          region: { allowed: ['id', 'name'], default: ['name'] },
          languages: { allowed: ['code', 'name'], default: ['code', 'name'] },
          cities: { allowed: ['id', 'name', 'population'], default: ['name'] },
        },
      },
      includes: ['region', 'languages', 'cities'],
      search: ['name', 'englishName', 'languages.name', 'cities.name'],
    },
  },
  cities: {
    model: 'city',
    rules: {
      filters: [
        rule('id', equality, order, text),
        rule('name', equality, order, text, folded),
        rule('population', equality, order),
        rule('capital', equality),
        rule('country.name', equality, folded),
        rule('country.languages.name', equality),
      ],
      sorts: ['id', 'name', 'population', 'capital', 'country.name'],
      fields: {
        root: { allowed: ['id', 'name', 'population', 'capital'], default: ['name'] },
        relations: { country: { allowed: ['code', 'name'], default: ['name'] } },
      },
      includes: ['country'],
      search: ['name'],
    },
  },
  orders: {
    model: 'order',
    rules: {
      filters: [
        rule('id', equality),
        rule('group', equality, text),
        rule('title', equality, order, text, folded),
        rule('status', equality, order),
        rule('total', equality, order),
        rule('placedAt', equality, order),
        rule('user.name', equality, folded),
        rule('user.company.name', equality),
        rule('approver', 'isNull'),
        rule('approver.name', equality),
        rule('lines', 'isNull'),
      ],
      sorts: [
        'id',
        'group',
        'title',
        'status',
        'coupon',
        'total',
        'placedAt',
        'user.name',
        'approver.name',
      ],
      fields: {
        root: {
          allowed: ['id', 'group', 'title', 'status', 'coupon', 'total', 'placedAt'],
          default: ['id', 'group', 'title'],
        },
        relations: {
          user: { allowed: ['id', 'name'], default: ['name'] },
          approver: { allowed: ['id', 'name'], default: ['name'] },
          lines: { allowed: ['lines.*'], default: ['lineNo'] },
        },
      },
      includes: ['user', 'approver', 'lines'],
      search: ['title', 'coupon'],
    },
  },
  lines: {
    model: 'orderLine',
    rules: {
      filters: [
        rule('orderId', equality, order),
        rule('lineNo', equality, order),
        rule('product', equality, text, folded),
        rule('price', equality, order, 'isNull'),
        rule('order.title', equality),
        rule('notes', 'isNull'),
        rule('notes.text', equality, text, 'isNull'),
      ],
      sorts: ['orderId', 'lineNo', 'product', 'qty', 'price', 'order.title'],
      fields: {
        root: {
          allowed: ['orderId', 'lineNo', 'product', 'qty', 'price'],
          default: ['orderId', 'lineNo'],
        },
        relations: {
          order: { allowed: ['id', 'title'], default: ['title'] },
          notes: { allowed: ['id', 'text'], default: ['id', 'text'] },
        },
      },
      includes: ['order', 'notes'],
      search: ['product'],
    },
  },
  teams: {
    model: 'team',
    settings: { limits: { cost: 10_000 } },
    rules: {
      filters: [
        rule('id', equality),
        rule('name', equality, folded),
        rule('labels', arrays, 'isNull'),
        rule('sizes', arrays, 'isNull'),
        rule('codes', arrays, 'isNull'),
        rule('users', 'isNull'),
        rule('users.name', equality, folded),
        rule('users.teams.labels', arrays, 'isNull'),
      ],
      groups: { depth: 2, terms: 8 },
      quantifiers: ['users', 'users.teams'],
      sorts: ['name'],
      fields: {
        root: {
          allowed: ['id', 'name', 'labels', 'sizes', 'codes'],
          default: ['id', 'name'],
        },
        relations: { users: { allowed: ['id', 'name'], default: ['id'] } },
      },
      includes: ['users'],
    },
  },
  /** Fields without companions. Data and terms are such that every family folds and orders them alike. */
  usersNative: {
    model: 'user',
    native: true,
    rules: {
      filters: [
        rule('id', order),
        rule('mood', order, folded),
        rule('referrer', order, folded),
        rule('company.countryCode', folded),
        rule('settings.name', folded),
        rule('manager.mood', folded),
        rule('reports.mood', folded),
      ],
      // The families differ in the place of nulls, unless it is fixed.
      sorts: ['mood', 'referrer', 'manager.mood'].map((path) => ({
        path,
        nulls: 'first' as const,
      })),
      search: ['mood', 'company.countryCode', 'name', 'settings.name'],
      fields: { root: { allowed: ['id', 'mood', 'referrer'], default: ['id'] } },
      pagination: { mode: 'both' },
    },
  },
  /** Every visible field, whole days, and at most two rows of each `many` include. */
  usersAll: {
    model: 'user',
    rules: {
      filters: [
        rule('id', equality, order),
        { ...rule('createdAt', equality, order), wholeDays: true },
        { ...rule('seenAt', equality, order, 'isNull'), wholeDays: true },
        { ...rule('orders.placedAt', equality, order), wholeDays: true },
        { ...rule('settings.at', equality, order), wholeDays: true },
      ],
      fields: 'all',
      includes: [
        'company',
        'company.country',
        'company.country.languages',
        'orders',
        'orders.lines',
        'reports',
        'teams',
        'teams.users',
      ],
      pagination: { mode: 'both' },
    },
    settings: { maxChildren: 2, limits: { maxFilters: 3 } },
  },
  /** Limits of their own for each include. */
  ordersBounded: {
    model: 'order',
    rules: {
      sorts: ['placedAt'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: {
          lines: { allowed: ['lines.*'], default: ['lineNo'], maxChildren: 1 },
          'lines.notes': { allowed: ['id', 'text'], default: ['id'], maxChildren: false },
        },
      },
      includes: ['lines', 'lines.notes'],
    },
    settings: { maxChildren: 3 },
  },
  /** Without search and filters. */
  regions: {
    model: 'region',
    rules: { fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } } },
  },
} as const satisfies { readonly [name: string]: EndpointDeclaration };

/** Name of an endpoint. */
export type EndpointName = keyof typeof endpoints;

/** Compiles the rules of all endpoints against a registry; `shared` are settings of every endpoint. */
export function compileEndpoints(
  registry: SchemaRegistry,
  shared: QuerySettings = {},
): {
  readonly [name in EndpointName]: CompiledQueryRules;
} {
  const compiled = Object.entries(endpoints).map(
    ([name, endpoint]: [string, EndpointDeclaration]) => [
      name,
      defineQueryRules(registry, endpoint.model, endpoint.rules, {
        cursorKeys,
        ...(endpoint.native ? { families: registry.families ?? ['sqlite'] } : { portable: true }),
        ...shared,
        ...endpoint.settings,
      }),
    ],
  );
  return Object.fromEntries(compiled);
}
