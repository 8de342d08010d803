/** The query strings of the core benchmark. Variants differ in values only, like the requests to one endpoint. */

import { comparedPaths, comparisons } from './rules.ts';

/** One request with many variants. */
export interface CoreRequest {
  readonly name: string;
  readonly texts: readonly string[];
}

const variantCount = 64;

/** Brackets and commas as a browser's `URLSearchParams` writes them. */
function encoded(text: string): string {
  return text.replaceAll('[', '%5B').replaceAll(']', '%5D').replaceAll(',', '%2C');
}

function request(name: string, text: (variant: number) => string): CoreRequest[] {
  const texts = Array.from({ length: variantCount }, (_, variant) => text(variant));
  return [
    { name, texts },
    { name: `${name}, percent-encoded`, texts: texts.map(encoded) },
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

export const coreRequests: readonly CoreRequest[] = [
  ...request('typical', typical),
  ...request('50 filters', fiftyFilters),
];
