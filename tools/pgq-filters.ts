/**
 * Writes `src/board/contract/openapi/pgq-filters.ts`, the filters of pg-boss's jobs as JSON Schema, from the compiled rules
 * of the listings. A board that serves its OpenAPI document loads no rules for it.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { compileListings } from '../src/board/pgq/listings/listings.ts';
import { openApiParameters } from '../src/rules/open-api/index.ts';
import type { CompiledQueryRules } from '../src/rules/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The filters of a document: fields and paths by kind, the values and operators of each kind, the operators. */
export interface PgqFilters {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly kinds: Readonly<
    Record<string, { readonly value: Schema; readonly operators: readonly string[] }>
  >;
  readonly operators: Readonly<
    Record<string, { readonly description: string; readonly type?: string }>
  >;
}

/** Names of values by their kind. */
const names: Readonly<Record<string, string>> = {
  enum: 'State',
  uuid: 'Id',
  string: 'Text',
  integer: 'Number',
  datetime: 'Time',
};

/** Values of a list are sent as one text. */
const list =
  'The values are one text with commas between; double quotes quote a value that has one.';

/** Describes the filters. */
export function pgqFilters(): PgqFilters {
  const { rules, search } = compileListings('pgboss', new Map(), { countCap: 1, scoped: false });
  const fields: Record<string, string> = {};
  const kinds: Record<string, { value: Schema; operators: string[] }> = {};
  const operators: Record<string, { description: string; type?: string }> = {};
  const put = (of: CompiledQueryRules, path: string, kind: string, own?: Schema): void => {
    const found: string[] = [];
    let value: Schema = {};
    for (const { name, description, schema } of openApiParameters(of)) {
      const [, filtered, operator = ''] = /^filter\[(.+)\]\[(\w+)\]$/.exec(name) ?? [];
      if (filtered !== path) continue;
      const meaning = /` (.+?)\.(?: |$)/.exec(description)?.[1] ?? '';
      const type =
        schema.type === 'array' ? 'string' : operator === 'isNull' ? 'boolean' : undefined;
      operators[operator] = {
        description: [`The field ${meaning}.`, ...(schema.type === 'array' ? [list] : [])].join(
          ' ',
        ),
        ...(type && { type }),
      };
      if (operator === 'eq') value = own ?? { ...schema };
      found.push(operator);
    }
    kinds[kind] = { value, operators: found };
  };
  for (const [path, { target, operators: allowed }] of rules.jobs.filters) {
    // The queue is a part of the address.
    if (path === 'queueName') continue;
    const name = names[target.field?.kind ?? ''];
    if (!name) throw new TypeError(`The kind of ${path} has no name.`);
    const kind = `Pgq${allowed.has('isNull') && name === 'Time' ? 'Optional' : ''}${name}Filter`;
    fields[path] = kind;
    put(rules.jobs, path, kind);
  }
  const typed = search({ data: { path: 'string' }, output: {} }).rules;
  put(typed, 'data.path', 'PgqPathFilter', { type: ['string', 'number', 'boolean'] });
  return { fields, path: 'PgqPathFilter', kinds, operators };
}

export function writePgqFilters(): void {
  const file = fileURLToPath(
    new URL('../src/board/contract/openapi/pgq-filters.ts', import.meta.url),
  );
  const text = `/** The filters of pg-boss's jobs, for OpenAPI documents. Written by \`node tools/openapi.ts\` from the compiled rules. */

import type { JsonSchema } from './json-schema.ts';

/** The kind of each field and of paths into JSON, the values and operators of each kind, and the operators. */
export const pgqFilters: {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly kinds: Readonly<
    Record<string, { readonly value: JsonSchema; readonly operators: readonly string[] }>
  >;
  /** Without a type, an operator takes a value of the kind. */
  readonly operators: Readonly<
    Record<string, { readonly description: string; readonly type?: string }>
  >;
} = ${JSON.stringify(pgqFilters())};
`;
  writeFileSync(file, text);
  execFileSync('npx', ['oxfmt', file]);
}
