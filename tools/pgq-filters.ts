/**
 * Writes `src/board/contract/openapi/pgq-filters.ts`, the filters of pg-boss's jobs as JSON Schema, from the compiled rules
 * of the listings. A board that serves its OpenAPI document loads no rules for it.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { compileListings } from '../src/board/pgq/listings/listings.ts';
import { openApiParameters } from '../src/rules/index.ts';
import type { CompiledQueryRules } from '../src/rules/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The filters of a document: the component of each field, of each path into JSON, and the components. */
export interface PgqFilters {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Names of values by their kind. */
const names: Readonly<Record<string, string>> = {
  enum: 'State',
  uuid: 'Id',
  string: 'Text',
  integer: 'Number',
  datetime: 'Time',
};

/** The conditions on a path, by operator. `value` replaces the schema of the rules. */
function conditionsOn(rules: CompiledQueryRules, path: string, value?: Schema) {
  const conditions: Record<string, Schema> = {};
  for (const { name, description, schema } of openApiParameters(rules)) {
    const [, filtered, operator = ''] = /^filter\[(.+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (filtered !== path) continue;
    const meaning = /` (.+?)\.(?: |$)/.exec(description)?.[1] ?? '';
    const isList = schema.type === 'array';
    const list =
      'The values are one text with commas between; double quotes quote a value that has one.';
    conditions[operator] = {
      description: [`The field ${meaning}.`, ...(isList ? [list] : [])].join(' '),
      // Values of a list are sent as one text.
      ...(isList ? { type: 'string' } : schema.type === 'boolean' ? schema : (value ?? schema)),
    };
  }
  return conditions;
}

/** A value, or conditions by operator. */
const either = (value: Schema, conditions: Readonly<Record<string, Schema>>): Schema => ({
  description: 'A value that the field must equal, or conditions by operator, which must all hold.',
  anyOf: [value, { type: 'object', properties: conditions, additionalProperties: false }],
});

/** Describes the filters. */
export function pgqFilters(): PgqFilters {
  const { rules, search } = compileListings('pgboss', new Map(), { countCap: 1, scoped: false });
  const fields: Record<string, string> = {};
  const schemas: Record<string, Schema> = {};
  for (const [path, { target, operators }] of rules.jobs.filters) {
    // The queue is a part of the address.
    if (path === 'queueName') continue;
    const name = names[target.field?.kind ?? ''];
    if (!name) throw new TypeError(`The kind of ${path} has no name.`);
    const component = `Pgq${operators.has('isNull') && name === 'Time' ? 'Optional' : ''}${name}Filter`;
    const conditions = conditionsOn(rules.jobs, path);
    const { description: _of, ...value } = conditions['eq'] ?? {};
    fields[path] = component;
    schemas[component] = either(value, conditions);
  }
  const value = { type: ['string', 'number', 'boolean'] };
  const typed = search({ data: { path: 'string' }, output: {} }).rules;
  schemas['PgqPathFilter'] = {
    ...either(value, conditionsOn(typed, 'data.path', value)),
    description:
      'A value at a path of the data or output: one that it must equal, or conditions by operator. A number or `true` is compared as such, a text in quotes always as a text.',
  };
  return { fields, path: 'PgqPathFilter', schemas };
}

export function writePgqFilters(): void {
  const file = fileURLToPath(
    new URL('../src/board/contract/openapi/pgq-filters.ts', import.meta.url),
  );
  const text = `/** The filters of pg-boss's jobs in OpenAPI documents. Written by \`node tools/openapi.ts\` from the compiled rules. */

import type { JsonSchema } from './json-schema.ts';

/** The component of each field and of paths into JSON, and the components. */
export const pgqFilters: {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} = ${JSON.stringify(pgqFilters(), null, 2)};
`;
  writeFileSync(file, text);
  execFileSync('npx', ['oxfmt', file]);
}
