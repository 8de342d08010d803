/** The fields of each engine in a filter of jobs as text, with their kinds and operators. */

import type { DescribedFilter, RulesDescription } from '../../rules/client/index.ts';

/** The engines of a board. */
export type FilterEngine = 'kvq' | 'pgq';

type Operators = DescribedFilter['operators'];

const same: Operators = ['eq', 'ne', 'in', 'notIn'];
const order: Operators = ['gt', 'gte', 'lt', 'lte', 'between'];
const texts: Operators = [...same, 'ilike', 'notIlike', 'isNull'];
const numbers: Operators = [...same, ...order];
const times: Operators = [...order, 'isNull'];

function field(
  path: string,
  kind: DescribedFilter['kind'],
  operators: Operators,
  more: Pick<DescribedFilter, 'members' | 'milliseconds'> = {},
): DescribedFilter {
  return { path, kind, operators, nullable: operators.includes('isNull'), many: false, ...more };
}

/** Fields of both engines. */
const common: readonly DescribedFilter[] = [
  field('error', 'string', texts),
  ...['added', 'processed', 'started', 'finished', 'failed', 'completed'].map((path) =>
    field(path, 'datetime', times),
  ),
  field('duration', 'bigint', [...numbers, 'isNull'], { milliseconds: true }),
  field('attempts', 'integer', numbers),
  field('priority', 'integer', numbers),
];

const kvqStates = 'waiting active completed failed delayed prioritized waiting-children paused';
const pgqStates = 'created retry active completed cancelled failed';

const stateOf = (members: string): DescribedFilter =>
  field('state', 'enum', same, { members: members.split(' ') });

const fields: { readonly [Engine in FilterEngine]: readonly DescribedFilter[] } = {
  kvq: [
    field('name', 'string', texts),
    ...common,
    field('id', 'string', same),
    field('worker', 'string', texts),
    stateOf(kvqStates),
  ],
  pgq: [
    ...common,
    field('id', 'uuid', same),
    field('key', 'string', texts),
    field('group', 'string', texts),
    field('retries', 'integer', numbers),
    stateOf(pgqStates),
  ],
};

/** Paths of values in JSON that a text names; each of them is a field. Their names are safe in SQL. */
const paths: { readonly [Engine in FilterEngine]: RegExp } = {
  kvq: /\bdata(?:\.\w+(?:-\w+)*)+/g,
  pgq: /\b(?:data|output)(?:\.\w+(?:-\w+)*)+/g,
};

/** Most conditions of a text. */
const maxConditions = 20;

/** The description of what a text may ask; `known` are paths of JSON to offer besides those that it names. */
export function languageOf(
  engine: FilterEngine,
  text: string,
  known: readonly string[] = [],
): RulesDescription {
  const named = new Set([...(text.match(paths[engine]) ?? []), ...known]);
  const inJson = [...named].map((path) => field(path, 'string', [...texts, ...order]));
  return {
    filters: [...fields[engine], ...inJson],
    groups: { depth: 8, terms: maxConditions },
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
    limits: {
      maxFilters: maxConditions,
      maxListLength: 100,
      maxTextLength: 500,
    } as RulesDescription['limits'],
  };
}
