/** The language of the filter line of a queue, and how its conditions become parameters of a search. */

import { parseFilterText } from '../../client/index.ts';
import type {
  DescribedFilter,
  FilterTextError,
  RulesDescription,
  TextFilter,
} from '../../client/index.ts';
import { t } from '../i18n/index.ts';
import { settings } from '../settings.ts';

export interface JobSearch {
  readonly query: Readonly<Record<string, string>>;
}

type Operators = DescribedFilter['operators'];

const field = (
  path: string,
  kind: DescribedFilter['kind'],
  operators: Operators,
): DescribedFilter => ({
  path,
  kind,
  operators,
  nullable: operators.includes('isNull'),
  many: false,
});

const times: Operators = ['gt', 'gte', 'lt', 'lte', 'between'];
const numbers: Operators = ['eq', 'gt', 'gte', 'lt', 'lte'];

const kvqFields = [
  field('name', 'string', ['ilike']),
  field('error', 'string', ['ilike']),
  field('id', 'string', ['eq']),
  field('added', 'datetime', times),
];

const pgqFields = [
  field('error', 'string', ['ilike']),
  field('id', 'string', ['eq']),
  field('key', 'string', ['eq', 'ilike']),
  field('group', 'string', ['eq']),
  field('priority', 'integer', numbers),
  field('retries', 'integer', ['gte']),
  field('added', 'datetime', times),
  field('started', 'datetime', times),
  field('finished', 'datetime', times),
];

/** Paths of data that a text names; each of them is a field. */
const paths = /\b(?:data|output)\.[\w$-]+(?:\.[\w$-]+)*/g;

/** The description of what may be asked, for parsing and for completion. */
export function language(
  engine: 'kvq' | 'pgq',
  text: string,
  known: readonly string[],
): RulesDescription {
  const named = new Set([...(text.match(paths) ?? []), ...known]);
  const operators: Operators =
    engine === 'kvq' ? ['eq', 'isNull'] : ['eq', 'gt', 'gte', 'lt', 'lte'];
  const filters = [
    ...(engine === 'kvq' ? kvqFields : pgqFields),
    ...[...named].map((path) => field(path, 'string', operators)),
  ];
  return {
    filters,
    operators: [],
    sorts: [],
    ascendingNulls: 'first',
    fields: { allowed: [], default: [] },
    includes: [],
    search: [],
    pagination: {
      mode: 'keyset',
      count: 'none',
      defaultPerPage: 50,
      maxPerPage: 100,
      allowUnpaginated: false,
      maxUnpaginatedRows: 0,
    },
    limits: { maxFilters: 12, maxListLength: 1, maxTextLength: 500 } as RulesDescription['limits'],
  };
}

export type ReadFilter =
  | { readonly search: JobSearch | undefined; readonly error?: undefined }
  | { readonly search?: undefined; readonly error: FilterTextError };

const isCondition = /[=<>~!]|\b(?:contains|is|in|like)\b|\bbetween\b.+\band\b/i;

let last: { readonly of: string; readonly read: ReadFilter } | undefined;

/** Reads a filter line. A time that is told from now stays the same while the line does, for the list and for commands. */
export function readFilter(engine: 'kvq' | 'pgq', text: string): ReadFilter {
  const { zone } = settings();
  const of = [engine, zone, text].join(' ');
  if (last?.of !== of) last = { of, read: readText(engine, text, zone) };
  return last.read;
}

/** Reads a filter line. Words without a condition are looked for in names, or in errors where jobs have no names. */
function readText(engine: 'kvq' | 'pgq', text: string, zone: 'local' | 'utc'): ReadFilter {
  const plain = text.trim();
  if (plain === '') return { search: undefined };
  if (!isCondition.test(plain)) {
    return { search: { query: engine === 'kvq' ? { name: plain } : { error: plain } } };
  }
  const utcOffset = zone === 'utc' ? 0 : -new Date().getTimezoneOffset();
  const parsed = parseFilterText(language(engine, plain, []), plain, new Date(), utcOffset);
  if (parsed.error) return { error: parsed.error };
  try {
    return {
      search: { query: engine === 'kvq' ? kvqQuery(parsed.filter) : pgqQuery(parsed.filter) },
    };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return {
      error: {
        code: 'OPERATOR_NOT_ALLOWED',
        message: error.message,
        start: 0,
        end: plain.length,
        expected: [],
      },
    };
  }
}

class Unsupported extends Error {}

/** Narrows the time in which jobs were added: whole milliseconds, of which both are included. */
function narrow(query: Record<string, string>, operator: string, value: unknown): void {
  const [low, high] = [value, value].flat().map((each) => Date.parse(String(each)));
  const { from = -Infinity, to = Infinity } = query;
  if (!operator.startsWith('l')) {
    query['from'] = String(Math.max(Number(from), Number(low) + (operator === 'gt' ? 1 : 0)));
  }
  if (!operator.startsWith('g')) {
    query['to'] = String(Math.min(Number(to), Number(high) - (operator === 'lt' ? 1 : 0)));
  }
}

function kvqQuery(filter: TextFilter): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [path, operators] of Object.entries(filter)) {
    for (const [operator, value] of Object.entries(operators)) {
      if (path === 'added') narrow(query, operator, value);
      else if (path.startsWith('data.')) {
        if (query['path'] !== undefined) throw new Unsupported(t('filter.onePath'));
        query['path'] = path.slice('data.'.length);
        if (operator === 'eq') query['value'] = String(value);
      } else query[path] = String(value);
    }
  }
  return query;
}

/** Names of the filter line by those of the API. */
const pgqNames: Readonly<Record<string, string>> = {
  key: 'singletonKey',
  group: 'groupId',
  started: 'startedOn',
  finished: 'completedOn',
};

function pgqQuery(filter: TextFilter): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [path, operators] of Object.entries(filter)) {
    for (const [operator, value] of Object.entries(operators)) {
      const text = String(value);
      if (path === 'added') narrow(query, operator, value);
      else if (path === 'error' || path === 'id') query[path] = text;
      else if (path === 'retries') query['minRetries'] = text;
      else if (path === 'key' && operator === 'ilike') query['key'] = text;
      else query[`filter[${pgqNames[path] ?? path}][${operator}]`] = text;
    }
  }
  return query;
}

/** Paths in data that are worth offering: those of the jobs in sight. */
export function pathsIn(samples: readonly (string | undefined)[]): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, prefix: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 3) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!/^[\w$-]+$/.test(key) || found.size > 30) continue;
      if (typeof inner !== 'object' || inner === null) found.add(`${prefix}.${key}`);
      walk(inner, `${prefix}.${key}`, depth + 1);
    }
  };
  for (const sample of samples.slice(0, 20)) {
    try {
      if (sample !== undefined) walk(JSON.parse(sample), 'data', 0);
    } catch {
      // A text that was cut is not JSON.
    }
  }
  return [...found];
}
