/** OpenAPI 3.1 parameter objects of a list endpoint, derived from its compiled rules. */

import { nullsOf } from '../../schema/index.ts';
import { assertCompiled } from '../declare/assert-compiled.ts';
import type {
  AskedRows,
  CompiledChildren,
  CompiledFilter,
  CompiledQueryRules,
} from '../declare/compiled.ts';
import { type OperatorRow, operatorRows } from '../declare/operators.ts';
import { quantifiersOf } from '../client/describe-rules.ts';
import { acceptedValues } from '../plan/resolve-filters.ts';
import { instantOrDay, textSchema, valueSchema, type OpenApiSchema } from './open-api-schema.ts';

/** One query parameter as an OpenAPI 3.1 parameter object. */
export interface OpenApiParameter {
  /** Name of the parameter. */
  readonly name: string;
  /** Always `query`: parameters of a list are in the query string. */
  readonly in: 'query';
  /** Always false: every parameter may be left out. */
  readonly required: false;
  /** English text for readers of the document. */
  readonly description: string;
  /**
   * `form` without `explode`, which is a comma-separated list, for parameters that take several values; `deepObject` for
   * groups of filters.
   */
  readonly style?: 'form' | 'deepObject';
  /** Absent where repeating the parameter is the default form; false where a list is separated by commas. */
  readonly explode?: boolean;
  /** Form of the value. */
  readonly schema: OpenApiSchema;
}

const commaList =
  'A comma list: double quotes quote a value that holds a comma, and a backslash escapes the next character.';

/**
 * The query parameters of an endpoint as OpenAPI 3.1 objects, in the order filters, sort, fields, includes, search,
 * pages. Parameters that the rules do not allow are absent: `paginate` where every answer is paginated, `page` where
 * pages are addressed by cursor. Parameters in `settings.passthroughParams` are not documented.
 * Servers only: the build for browsers has no OpenAPI documents.
 */
export function openApiParameters(rules: CompiledQueryRules): OpenApiParameter[] {
  assertCompiled(rules);
  return [
    ...[...rules.filters.values()].flatMap((filter) => filterParameters(filter, rules)),
    ...groupsParameter(rules),
    ...whereParameter(rules),
    ...sortParameter(rules),
    ...fieldsParameter(rules),
    ...includesParameter(rules),
    ...[...rules.children.values()].flatMap(childrenParameters),
    ...searchParameter(rules),
    ...pageParameters(rules),
  ];
}

function parameter(name: string, description: string, schema: OpenApiSchema): OpenApiParameter {
  const base = { name, in: 'query', required: false, description } as const;
  return schema.type === 'array'
    ? { ...base, style: 'form', explode: false, schema }
    : { ...base, schema };
}

function pathList(name: string, description: string, paths: readonly string[]): OpenApiParameter[] {
  if (paths.length === 0) return [];
  const items: OpenApiSchema = { type: 'string', enum: paths };
  return [parameter(name, description, { type: 'array', items })];
}

/** The parameters about the children of an include. */
function childrenParameters(children: CompiledChildren): OpenApiParameter[] {
  const { path, filters, maxPerPage } = children;
  const prefix = `include[${path}]`;
  const perPage: OpenApiSchema = { type: 'integer', minimum: 1, maximum: maxPerPage };
  return [
    ...[...filters.values()].flatMap((filter) =>
      filterParameters(filter, children, `${prefix}[filter]`),
    ),
    ...groupsParameter(children, `${prefix}[filter]`),
    ...sortParameter(children, `${prefix}[sort]`),
    parameter(
      `${prefix}[perPage]`,
      `The first \`${path}\` of each row, up to this number; a row that has more names the relation in \`$truncated\`.`,
      perPage,
    ),
  ].map((each) => ({
    ...each,
    description: `Of the included \`${path}\`: ${each.description}`,
  }));
}

function filterParameters(
  filter: CompiledFilter,
  rules: AskedRows,
  prefix = 'filter',
): OpenApiParameter[] {
  return operatorRows
    .filter(({ name }) => filter.operators.has(name))
    .map((row) =>
      parameter(
        `${prefix}[${filter.target.path}][${row.name}]`,
        describe(filter, row, prefix),
        operandSchema(filter, row, rules),
      ),
    );
}

function operandSchema(
  filter: CompiledFilter,
  { arity, need }: OperatorRow,
  { limits }: AskedRows,
): OpenApiSchema {
  const { field } = filter.target;
  if (!field) return { type: 'boolean' };
  const isPattern = need === 'text' || need === 'foldedText';
  const value = filter.wholeDays ? instantOrDay : valueSchema(field, limits);
  const items = isPattern ? textSchema(limits) : value;
  switch (arity) {
    case 'one':
      return items;
    case 'list':
      return { type: 'array', items, maxItems: limits.maxListLength };
    case 'pair':
      return { type: 'array', items, minItems: 2, maxItems: 2 };
    case 'flag':
      return { type: 'boolean' };
  }
}

function describe(
  filter: CompiledFilter,
  { name, meaning, arity, need }: OperatorRow,
  prefix: string,
): string {
  const { path, field, relation, hops } = filter.target;
  if (relation?.cardinality === 'many') {
    return `Keeps rows where \`${path}\` is empty (\`true\`) or is not empty (\`false\`).`;
  }
  const where = hops.some((hop) => hop.cardinality === 'many')
    ? `Keeps rows where at least one \`${path}\` `
    : `Keeps rows where \`${path}\` `;
  const sentences = [`${where}${meaning}.`];
  const comparesValues = need === 'equality' || need === 'order' || need === 'array';
  if (field && comparesValues && arity !== 'flag') {
    sentences.push(
      `${arity === 'one' ? 'The value' : 'Each value'} is ${acceptedValues(field, filter.wholeDays)}.`,
    );
  }
  if (arity === 'list' || arity === 'pair') sentences.push(commaList);
  if (name === 'eq') sentences.push(`\`${prefix}[${path}]\` means the same.`);
  return sentences.join(' ');
}

/** Groups and quantifiers as one object: its names are as many as a client likes. */
function groupsParameter(rules: AskedRows, prefix = 'filter'): OpenApiParameter[] {
  const { groups } = rules;
  const related = quantifiersOf(rules);
  if (!groups && related.length === 0) return [];
  const sentences = ['Filters within others, which are written as those above.'];
  if (groups) {
    sentences.push(
      `\`${prefix}[$or][0][path][operator]\`, \`${prefix}[$or][1]…\`: one of the members holds, and all filters of a member; ` +
        `\`${prefix}[$and][0]…\` and \`${prefix}[$not][path][operator]\` accordingly. ` +
        `At most ${groups.depth} groups within each other, with ${groups.terms} filters.`,
    );
  }
  for (const { path, quantifiers } of related) {
    const names = quantifiers.map((name) => `\`$${name}\``).join(', ');
    sentences.push(`Rows of \`${path}\` that meet several filters together: ${names}.`);
  }
  if (related[0]) {
    const { path, quantifiers } = related[0];
    sentences.push(
      `A relation is written as \`${prefix}[${path}][$${quantifiers[0]}]…\`, and one behind another with many rows within that one.`,
    );
  }
  const base = parameter(prefix, sentences.join(' '), { type: 'object' });
  return [{ ...base, style: 'deepObject', explode: true }];
}

function whereParameter({ where, limits }: CompiledQueryRules): OpenApiParameter[] {
  if (!where) return [];
  const description =
    'Filters as one text, which hold together with the others: `age >= 65 or company.name = "Acme"`. ' +
    'Times are told from now as in `createdAt > now - 1h`.';
  return [parameter('where', description, { type: 'string', maxLength: limits.maxQueryLength })];
}

function sortParameter(rules: AskedRows, name = 'sort'): OpenApiParameter[] {
  const paths = [...rules.sorts.keys()].flatMap((path) => [path, `-${path}`]);
  const nulls =
    nullsOf(rules.families) === 'first'
      ? 'first ascending and last descending'
      : 'last ascending and first descending';
  const description =
    'Order of the rows, by comma-separated paths in order of weight; a leading `-` is descending. ' +
    `Null comes ${nulls} unless the path says otherwise; ties are broken by the primary key, in the direction of the last sort.`;
  return pathList(name, description, paths);
}

function fieldsParameter(rules: CompiledQueryRules): OpenApiParameter[] {
  const paths = [...rules.root.allowed];
  for (const include of rules.includes.values()) {
    for (const name of include.projection.allowed) paths.push(`${include.path}.${name}`);
  }
  const description =
    'Fields to show, separated by commas; `relation.field` needs the relation in `includes`. ' +
    `Default: ${rules.root.default.map((name) => `\`${name}\``).join(', ')}, and the defaults of each included relation.`;
  return pathList('fields', description, paths);
}

function includesParameter(rules: CompiledQueryRules): OpenApiParameter[] {
  const description =
    'Relations to load, separated by commas; a deep one needs its parent in the same list.';
  return pathList('includes', description, [...rules.includes.keys()]);
}

function searchParameter(rules: CompiledQueryRules): OpenApiParameter[] {
  if (rules.search.length === 0) return [];
  const paths = rules.search.map(({ path }) => `\`${path}\``).join(', ');
  const description = `Keeps rows where one of ${paths} contains the term in upper or lower case.`;
  return [parameter('search', description, textSchema(rules.limits))];
}

function pageParameters(rules: CompiledQueryRules): OpenApiParameter[] {
  const { mode, defaultPerPage, maxPerPage, maxUnpaginatedRows, allowUnpaginated } =
    rules.pagination;
  const parameters: OpenApiParameter[] = [];
  if (mode !== 'keyset') {
    const schema: OpenApiSchema = { type: 'integer', minimum: 1, default: 1 };
    parameters.push(parameter('page', 'Page to show, from 1.', schema));
  }
  parameters.push(
    parameter('perPage', 'Rows of a page.', {
      type: 'integer',
      minimum: 1,
      maximum: maxPerPage,
      default: defaultPerPage,
    }),
  );
  if (allowUnpaginated) {
    const description = `With \`false\`, every row comes in one answer; more than ${maxUnpaginatedRows} rows are refused.`;
    parameters.push(parameter('paginate', description, { type: 'boolean', default: true }));
  }
  if (mode !== 'offset') {
    const first = mode === 'both' ? ' Empty, it starts pages by cursor instead of by `page`.' : '';
    const description =
      'Where the page starts: `nextCursor` or `prevCursor` of an earlier answer to the same filters and sort.';
    parameters.push(parameter('cursor', description + first, { type: 'string' }));
  }
  return parameters;
}
