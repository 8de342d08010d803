/** The query strings of the core benchmark. Variants differ in values only, like the requests to one endpoint. */

import type { CompiledQueryRules } from '../../src/index.ts';
import { comparedPaths, comparisons, formRules, rules } from './rules.ts';

/** One request with many variants. */
export interface CoreRequest {
  readonly name: string;
  readonly texts: readonly string[];
  readonly rules: CompiledQueryRules;
}

const variantCount = 64;

/** Brackets and commas as a browser's `URLSearchParams` writes them. */
function encoded(text: string): string {
  return text.replaceAll('[', '%5B').replaceAll(']', '%5D').replaceAll(',', '%2C');
}

function request(
  name: string,
  text: (variant: number) => string,
  own: CompiledQueryRules = rules,
): CoreRequest[] {
  const texts = Array.from({ length: variantCount }, (_, variant) => text(variant));
  return [
    { name, texts, rules: own },
    { name: `${name}, percent-encoded`, texts: texts.map(encoded), rules: own },
  ];
}

/** Three filters, two sorts, fields, one include, a page. */
function typical(variant: number): string {
  return [
    `filter[age][gte]=${18 + (variant % 40)}`,
    'filter[active][eq]=true',
    `filter[company.name][ilike]=ban${variant}`,
    'sort=-createdAt,name',
    'fields=id,name,email,company.name',
    'includes=company',
    `page=${1 + (variant % 9)}`,
    'perPage=20',
  ].join('&');
}

/** Fifty filters, each with a different path and operator. */
function fiftyFilters(variant: number): string {
  const pairs = comparedPaths.flatMap((path) =>
    comparisons.map((operator) => `${path}][${operator}`),
  );
  return pairs
    .slice(0, 50)
    .map((pair, index) => `filter[${pair}]=${variant * 50 + index}`)
    .join('&');
}

/** Two alternatives, of which one is negated and one has two conditions. */
function groups(variant: number): string {
  return [
    `filter[$or][0][age][gte]=${18 + variant}`,
    'filter[$or][0][active]=true',
    `filter[$or][1][$not][company.name][ilike]=ban${variant}`,
    `filter[$or][2][$and][0][level][gte]=${variant}`,
    `filter[$or][2][$and][1][level][lt]=${variant + 9}`,
    'sort=name',
    'perPage=20',
  ].join('&');
}

/** One related row that meets three conditions, and none that meets another one. */
function quantifiers(variant: number): string {
  return [
    `filter[posts][$some][title][ilike]=zebra${variant}`,
    `filter[posts][$some][likes][gte]=${variant}`,
    'filter[posts][$some][published]=true',
    `filter[posts][$none][likes][lt]=${variant % 7}`,
    'sort=name',
    'perPage=20',
  ].join('&');
}

/** Two filters, a sort and a field over related rows. */
function aggregates(variant: number): string {
  return [
    `filter[posts.$count][gte]=${variant}`,
    `filter[posts.$sum.likes][lte]=${variant * 100}`,
    'sort=-posts.$count,name',
    'fields=id,name,posts.$count,posts.$max.createdAt',
    'perPage=20',
  ].join('&');
}

/** The first five children that meet two conditions. */
function children(variant: number): string {
  return [
    `filter[age][gte]=${18 + variant}`,
    `include[posts][filter][title][ilike]=zebra${variant}`,
    'include[posts][filter][published]=true',
    'include[posts][sort]=-createdAt',
    'include[posts][perPage]=5',
    'fields=id,name,posts.title',
    'perPage=20',
  ].join('&');
}

/** A filter as text: a group, a quantifier and a value over related rows. */
const written = (variant: number): string =>
  `where=(age >= ${18 + variant} and active = true or not company.name ~ ban${variant}) and posts.some(title ~ "zebra ${variant}" and likes >= ${variant}) and posts.$count >= 3&sort=name&perPage=20`;

/** A text with a list of so many values. */
const list = (length: number) => (variant: number) =>
  `where=id in (${Array.from({ length }, (_, at) => (at + variant) % 10).join()})`;

/** As a browser's `URLSearchParams` writes it. */
const asForm = ({ name, texts, rules: own }: CoreRequest): CoreRequest => ({
  name,
  rules: own,
  texts: texts.map((text) => String(new URLSearchParams(text))),
});

const text = (name: string, make: (variant: number) => string): CoreRequest[] => {
  const [plain, form] = request(name, make, formRules) as [CoreRequest, CoreRequest];
  return [plain, asForm({ ...form, texts: plain.texts })];
};

export const coreRequests: readonly CoreRequest[] = [
  ...request('typical', typical),
  ...request('50 filters', fiftyFilters),
  ...request('groups', groups, formRules),
  ...request('quantifiers', quantifiers, formRules),
  ...request('values over relations', aggregates, formRules),
  ...request('children', children, formRules),
  ...text('filters as text', written),
  ...text('100 values as text', list(100)),
  ...text('8,000 values as text', list(8000)),
];
