/** The rules of the demo's endpoints: one declaration per list, for both databases. */

import type { QueryRulesDeclaration } from '../src/rules/index.ts';

const text = [
  'eq',
  'ne',
  'in',
  'notIn',
  'like',
  'notLike',
  'ilike',
  'notIlike',
  'startsWith',
  'istartsWith',
  'endsWith',
] as const;
const orderedText = [...text, 'gt', 'gte', 'lt', 'lte', 'between'] as const;
const code = ['eq', 'ne', 'in', 'notIn', 'like', 'startsWith'] as const;
const number = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'notIn'] as const;
const measure = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
const flag = ['eq'] as const;
const choice = ['eq', 'ne', 'in', 'notIn'] as const;
const members = ['has', 'hasAny', 'hasAll', 'isEmpty'] as const;
const absence = ['isNull'] as const;

const countryFields = {
  allowed: [
    'code',
    'code3',
    'name',
    'officialName',
    'nativeName',
    'otherNames',
    'capital',
    'region',
    'subregion',
    'area',
    'independent',
    'landlocked',
    'unMember',
    'flag',
    'currencies',
  ],
  default: ['name', 'flag'],
} as const;
const languageFields = { allowed: ['code', 'name'], default: ['name'] } as const;
const pagination = { mode: 'both' } as const;

export const cityRules = {
  filters: [
    { path: 'id', operators: ['eq', 'in'] },
    { path: 'name', operators: orderedText },
    { path: 'population', operators: number },
    { path: 'capital', operators: flag },
    { path: 'feature', operators: choice },
    { path: 'adminCode', operators: ['eq', 'in', 'isNull'] },
    { path: 'latitude', operators: measure },
    { path: 'longitude', operators: measure },
    { path: 'degreesFromEquator', operators: measure },
    { path: 'country.code', operators: code },
    { path: 'country.name', operators: orderedText },
    { path: 'country.nativeName', operators: ['like', 'ilike', 'isNull'] },
    { path: 'country.region', operators: choice },
    { path: 'country.landlocked', operators: flag },
    { path: 'country.languages.code', operators: code },
    { path: 'country.languages.name', operators: text },
    { path: 'country.borders.name', operators: text },
    { path: 'country.borders', operators: absence },
  ],
  sorts: [
    'name',
    'population',
    'latitude',
    'longitude',
    'degreesFromEquator',
    'country.name',
    'country.area',
  ],
  fields: {
    root: {
      allowed: [
        'id',
        'name',
        'population',
        'capital',
        'feature',
        'adminCode',
        'countryCode',
        'latitude',
        'longitude',
        'degreesFromEquator',
      ],
      default: ['id', 'name', 'population', 'countryCode'],
    },
    relations: {
      country: countryFields,
      'country.languages': languageFields,
      'country.borders': countryFields,
    },
  },
  includes: ['country', 'country.languages', 'country.borders'],
  search: ['name', 'country.name', 'country.nativeName', 'country.languages.name'],
  groups: { depth: 2, terms: 8 },
  where: true,
  pagination,
} as const satisfies QueryRulesDeclaration;

export const countryRules = {
  aggregates: {
    cities: {
      count: true,
      max: ['population'],
      where: {
        large: { type: 'condition', path: 'population', operator: 'gte', value: 1_000_000 },
      },
    },
    borders: { count: true },
  },
  quantifiers: ['cities', 'borders'],
  children: {
    cities: {
      filters: [{ path: 'capital', operators: flag }],
      sorts: ['population', 'name'],
      maxPerPage: 10,
    },
  },
  filters: [
    { path: 'cities.$count.large', operators: number },
    { path: 'borders.$count', operators: number },
    { path: 'code', operators: code },
    { path: 'code3', operators: code },
    { path: 'name', operators: orderedText },
    { path: 'nativeName', operators: [...text, 'isNull'] },
    { path: 'otherNames', operators: ['like', 'ilike'] },
    { path: 'capital', operators: ['eq', 'like', 'isNull'] },
    { path: 'region', operators: choice },
    { path: 'subregion', operators: [...choice, 'isNull'] },
    { path: 'area', operators: [...number, 'isNull'] },
    { path: 'independent', operators: ['eq', 'isNull'] },
    { path: 'landlocked', operators: flag },
    { path: 'unMember', operators: flag },
    { path: 'currencies', operators: members },
    { path: 'languages.code', operators: code },
    { path: 'languages.name', operators: text },
    { path: 'borders.code', operators: code },
    { path: 'borders.name', operators: text },
    { path: 'cities.name', operators: text },
    { path: 'cities.population', operators: number },
    { path: 'cities.capital', operators: flag },
    { path: 'languages', operators: absence },
    { path: 'borders', operators: absence },
    { path: 'cities', operators: absence },
  ],
  sorts: [
    'code',
    'name',
    'nativeName',
    'capital',
    'subregion',
    'area',
    'cities.$count.large',
    'borders.$count',
  ],
  fields: {
    root: {
      allowed: [
        ...countryFields.allowed,
        'cities.$count',
        'cities.$count.large',
        'cities.$max.population',
        'borders.$count',
      ],
      default: ['code', 'name', 'nativeName', 'capital', 'region', 'area'],
    },
    relations: {
      languages: languageFields,
      borders: countryFields,
      'borders.languages': languageFields,
      cities: {
        allowed: ['name', 'population', 'capital'],
        default: ['name', 'population'],
        maxChildren: 10,
      },
    },
  },
  includes: ['languages', 'borders', 'borders.languages', 'cities'],
  search: ['name', 'nativeName', 'otherNames', 'languages.name'],
  pagination,
} as const satisfies QueryRulesDeclaration;

export const languageRules = {
  filters: [
    { path: 'code', operators: code },
    { path: 'name', operators: orderedText },
    { path: 'countries.code', operators: code },
    { path: 'countries.name', operators: text },
    { path: 'countries.region', operators: choice },
    { path: 'countries.cities.population', operators: number },
    { path: 'countries', operators: absence },
  ],
  sorts: ['code', 'name'],
  fields: {
    root: { ...languageFields, default: ['code', 'name'] },
    relations: { countries: countryFields },
  },
  includes: ['countries'],
  search: ['name', 'countries.name', 'countries.nativeName'],
  pagination,
} as const satisfies QueryRulesDeclaration;
