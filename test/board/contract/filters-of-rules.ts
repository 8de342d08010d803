/** The filters of pg-boss's jobs as JSON Schema, from the compiled rules of the listings. */

import { listText, type PgqFilters } from '../../../src/board/contract/openapi/pgq-filters.ts';
import { compileListings } from '../../../src/board/pgq/listings/listings.ts';
import { openApiParameters } from '../../../src/rules/open-api/index.ts';
import type { CompiledQueryRules } from '../../../src/rules/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Names of values by their kind. */
const names: Readonly<Record<string, string>> = {
  enum: 'State',
  uuid: 'Id',
  string: 'Text',
  integer: 'Number',
  datetime: 'Time',
};

/** Describes the filters. */
export function filtersOfRules(): PgqFilters {
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
        description: [`The field ${meaning}.`, ...(schema.type === 'array' ? [listText] : [])].join(
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
