/** OpenAPI 3.1 parameter objects of a list endpoint, derived from its compiled rules. */

import { kindRow } from '../../schema/index.ts';
import type { CompiledFilter, CompiledQueryRules } from '../declare/compiled.ts';
import { operatorNames, operators } from '../declare/operators.ts';
import type { OperatorName } from '../declare/operators.ts';
import { textSchema, valueSchema } from './open-api-schema.ts';
import type { OpenApiSchema } from './open-api-schema.ts';

/** One query parameter as an OpenAPI 3.1 parameter object. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: false;
  readonly description: string;
  /** `form` without `explode`, that is one comma list, for the parameters that take several values. */
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: OpenApiSchema;
}

const commaList =
  'A comma list: double quotes quote a value that holds a comma, and a backslash escapes the next character.';

/** What each operator keeps, to follow "Keeps rows where <path> ". */
const meaning: { readonly [Name in OperatorName]: string } = {
  eq: 'equals the value',
  ne: 'differs from the value; null is left out',
  gt: 'is greater than the value',
  gte: 'is greater than or equal to the value',
  lt: 'is less than the value',
  lte: 'is less than or equal to the value',
  in: 'is one of the values; the empty list matches nothing',
  notIn: 'is none of the values; null is left out, and the empty list matches everything',
  between: 'lies between the two values, low then high, both included',
  like: 'contains the text as it is written; `%` and `_` are ordinary characters',
  notLike: 'does not contain the text as it is written; null is left out',
  ilike: 'contains the text in upper or lower case; `%` and `_` are ordinary characters',
  notIlike: 'does not contain the text in upper or lower case; null is left out',
  isNull: 'is null (`true`) or is not null (`false`)',
};

/**
 * The query parameters of an endpoint, in the order filters, sort, fields, includes, search, pages. What the
 * rules do not allow is absent: `paginate` where every answer has pages, `page` where pages go by cursor.
 * Parameters the host keeps for itself (`settings.passthroughParams`) are the host's to document.
 */
export function openApiParameters(rules: CompiledQueryRules): OpenApiParameter[] {
  return [
    ...[...rules.filters.values()].flatMap((filter) => filterParameters(filter, rules)),
    ...sortParameter(rules),
    ...fieldsParameter(rules),
    ...includesParameter(rules),
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

function filterParameters(filter: CompiledFilter, rules: CompiledQueryRules): OpenApiParameter[] {
  return operatorNames
    .filter((name) => filter.operators.has(name))
    .map((name) => {
      const { path } = filter.target;
      return parameter(
        `filter[${path}][${name}]`,
        describe(filter, name),
        operandSchema(filter, name, rules),
      );
    });
}

function operandSchema(
  filter: CompiledFilter,
  name: OperatorName,
  rules: CompiledQueryRules,
): OpenApiSchema {
  const row = operators.get(name);
  const { field } = filter.target;
  if (!field || !row || row.arity === 'flag') return { type: 'boolean' };
  if (row.need === 'text' || row.need === 'foldedText') return textSchema(rules.limits);
  const items = valueSchema(field, rules.limits);
  if (row.arity === 'pair') return { type: 'array', items, minItems: 2, maxItems: 2 };
  if (row.arity === 'list') return { type: 'array', items, maxItems: rules.limits.maxListLength };
  return items;
}

function describe(filter: CompiledFilter, name: OperatorName): string {
  const { path, field, relation, hops } = filter.target;
  if (relation?.cardinality === 'many') {
    return `Keeps rows where \`${path}\` is empty (\`true\`) or is not empty (\`false\`).`;
  }
  const where = hops.some((hop) => hop.cardinality === 'many')
    ? `Keeps rows where at least one \`${path}\` `
    : `Keeps rows where \`${path}\` `;
  const sentences = [`${where}${meaning[name]}.`];
  const row = operators.get(name);
  if (field && row && (row.need === 'equality' || row.need === 'order')) {
    sentences.push(
      `${row.arity === 'one' ? 'The value' : 'Each value'} is ${kindRow(field.kind).accepts}.`,
    );
  }
  if (row?.arity === 'list' || row?.arity === 'pair') sentences.push(commaList);
  if (name === 'eq') sentences.push(`\`filter[${path}]\` means the same.`);
  return sentences.join(' ');
}

function sortParameter(rules: CompiledQueryRules): OpenApiParameter[] {
  const paths = [...rules.sorts.keys()].flatMap((path) => [path, `-${path}`]);
  const description =
    'Order of the rows, by comma-separated paths in order of weight; a leading `-` is descending. ' +
    'Null comes first ascending and last descending unless the path says otherwise; ties are broken by the primary key.';
  return pathList('sort', description, paths);
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
