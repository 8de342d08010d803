/** The rules and settings that a configuration of nestjs-paginate stands for, and where they differ from it. */

import { knownNames } from '../../lib/index.ts';
import { type QuerySchema, type SchemaRegistry, configurationError } from '../../schema/index.ts';
import {
  type DatabaseFamily,
  type FilterRule,
  type OperatorName,
  type Quantifier,
  type QueryRulesDeclaration,
  type QuerySettings,
  type RelationProjectionRule,
  hasOrder,
  operatorObstacle,
  operatorRow,
} from '../../rules/index.ts';
import { type Column, columnsOf, embeddedIn, within } from './columns.ts';
import { type NestjsPaginateConfig, configMembers } from './config.ts';
import { operatorNames, oppositeOf, quantifierNames } from './tokens.ts';

/** Rows of a page, where `maxLimit` is -1. */
const noLimit = 2 ** 31 - 1;

interface Declared {
  readonly declaration: QueryRulesDeclaration;
  readonly settings: QuerySettings;
  readonly differences: readonly string[];
}

/**
 * Declares the rules of a configuration. Columns and operators that the registry does not have are left out and named.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID for an unknown member, or one without which other rows are shown.
 */
export function declare(
  registry: SchemaRegistry,
  model: string,
  config: NestjsPaginateConfig,
  families: readonly DatabaseFamily[],
): Declared {
  const differences = differencesOf(config);
  const find = columnsOf(registry, model);
  const embedded = (relation: string) => embeddedIn(registry, model, relation);
  /** The columns of a member that the registry has and the member may name; the others are differences. */
  const chosen = (
    member: string,
    names: readonly string[],
    obstacle: (column: Column) => string | null,
  ): readonly Column[] =>
    names.flatMap((name) => {
      const column = find(name);
      const reason = column === null ? 'not a path of the schema' : obstacle(column);
      if (column !== null && reason === null) return [column];
      differences.push(`${member}: ${name} is left out: ${reason}`);
      return [];
    });

  const sorts = chosen('sortableColumns', config.sortableColumns, ({ field, many }) => {
    if (many.length > 0) return 'a relation with many rows has no order';
    return field && hasOrder(field, families) ? null : 'it has no order';
  });
  const search = chosen('searchableColumns', config.searchableColumns ?? [], ({ field }) =>
    field ? operatorObstacle(operatorRow('ilike'), field, families) : 'it is a relation',
  );
  const quantifiers = new Map<string, Set<Quantifier>>();
  const filters = new Map<string, Set<OperatorName>>();
  for (const [name, allowed = []] of Object.entries(config.filterableColumns ?? {})) {
    const [column] = chosen('filterableColumns', [name], () => null);
    if (!column) continue;
    const operators = filters.get(column.path) ?? new Set();
    for (const token of tokensOf(column, allowed)) {
      const operator = operatorNames[token];
      const reason = operator ? obstacle(column, operator, families) : 'there is no such operator';
      if (operator && reason === null) {
        for (const each of negatable(operator, allowed)) operators.add(each);
      } else if (allowed !== true && allowed.includes(token)) {
        differences.push(`filterableColumns: ${token} of ${name} is left out: ${reason}`);
      }
    }
    filters.set(column.path, operators);
    const parent = column.one && [...column.many.slice(-1), column.one].join('.');
    if (parent) filters.set(parent, (filters.get(parent) ?? new Set()).add('isNull'));
    for (const path of column.many) {
      const names = quantifiers.get(path) ?? new Set();
      const taken = allowed === true ? Object.keys(quantifierNames) : ['$any', ...allowed];
      for (const token of taken) for (const each of quantifierNames[token] ?? []) names.add(each);
      quantifiers.set(path, names);
    }
  }
  for (const [path, operators] of filters) if (operators.size === 0) filters.delete(path);
  // Searches of chosen columns, and of several words, are groups of filters.
  for (const { path } of search) filters.set(path, (filters.get(path) ?? new Set()).add('ilike'));

  // Cursors there have nulls last in both directions.
  const isCursor = config.paginationType === 'cursor';
  const nulls = isCursor ? 'last' : config.nullSort;
  const shown = projections(config, registry.get(model), find, embedded, (name, reason) => {
    differences.push(`select: ${name} is left out: ${reason}`);
  });
  const max = config.maxLimit ?? 100;
  const most = max < 0 ? noLimit : max;
  return {
    differences,
    declaration: {
      sorts: sorts.map(({ path, field }) => (nulls && field?.nullable ? { path, nulls } : path)),
      search: search.map(({ path }) => path),
      filters: [...filters].map(([path, operators]): FilterRule => ({
        path,
        operators: [...operators],
      })),
      groups: { depth: 8, terms: 100 },
      quantifiers: [...quantifiers].map(([path, names]) => ({ path, quantifiers: [...names] })),
      ...shown,
      pagination: { mode: isCursor ? 'keyset' : 'offset' },
    },
    settings: {
      defaultPerPage: Math.min(config.defaultLimit ?? 20, most),
      maxPerPage: most,
      allowUnpaginated: max < 0,
      maxChildren: false,
    },
  };
}

function differencesOf(config: NestjsPaginateConfig): string[] {
  const differences: string[] = [];
  for (const [member, value] of Object.entries(config)) {
    if (!Object.hasOwn(configMembers, member)) {
      throw configurationError(
        `fromNestjsPaginate: "${member}" is not a member of the configuration; it has ${knownNames(member, Object.keys(configMembers))}.`,
        { setting: member },
      );
    }
    const left = configMembers[member];
    if (!left || value === undefined || value === false) continue;
    if (left.effect === 'differs') differences.push(`${member}: ${left.because}`);
    else
      throw configurationError(
        `fromNestjsPaginate: "${member}" is not taken over: ${left.because}.`,
        { setting: member },
      );
  }
  return differences;
}

/** The operators that a configuration gives a column: without `$not` and quantifiers, and `$null` for a relation. */
function tokensOf({ field }: Column, allowed: readonly string[] | true): readonly string[] {
  if (!field) return ['$null'];
  if (allowed === true) return Object.keys(operatorNames);
  const others = ['$not', ...Object.keys(quantifierNames)];
  return ['$eq', ...allowed.filter((token) => !others.includes(token))];
}

/** The reason why a column does not take an operator; `null` where it does. */
function obstacle(
  { field }: Column,
  operator: OperatorName,
  families: readonly DatabaseFamily[],
): string | null {
  if (field) return operatorObstacle(operatorRow(operator), field, families);
  return operator === 'isNull' ? null : 'a relation has no value';
}

/** An operator, and its negation where a column takes `$not`; the others negate themselves or stand in a group. */
function negatable(
  operator: OperatorName,
  allowed: readonly string[] | true,
): readonly OperatorName[] {
  const opposite = oppositeOf(operator);
  return opposite && (allowed === true || allowed.includes('$not'))
    ? [operator, opposite]
    : [operator];
}

/** The fields of the root and of each relation: those of `select`, otherwise all. */
function projections(
  { select, relations }: NestjsPaginateConfig,
  schema: QuerySchema | undefined,
  find: (name: string) => Column | null,
  embedded: (relation: string) => readonly string[],
  isLeftOut: (name: string, reason: string) => void,
): Pick<QueryRulesDeclaration, 'fields' | 'includes'> {
  const named = ['', ...relationPaths(relations ?? [])];
  const loaded = named.flatMap((path) => [path, ...embedded(path)]);
  const shown = new Map(loaded.map((path): [string, string[]] => [path, []]));
  for (const name of select ?? named.map((path) => within(path, '*'))) {
    const relation = name.slice(0, -2);
    const column = find(name);
    if (name.endsWith('*') && shown.has(relation)) {
      for (const path of [relation, ...embedded(relation)])
        shown.get(path)?.push(within(path, '*'));
    } else if (column?.field && shown.has(column.relation)) {
      shown.get(column.relation)?.push(column.path);
    } else isLeftOut(name, 'not a field of the schema, or of a relation that is loaded');
  }
  const includes = loaded
    .slice(1)
    .filter((path) =>
      [...shown].some(([deep, fields]) => `${deep}.`.startsWith(`${path}.`) && fields.length > 0),
    );
  const fieldsOf = (path: string, always: readonly string[] = []): RelationProjectionRule => {
    const fields = [...new Set([...always, ...(shown.get(path) ?? [])])];
    return { allowed: fields, default: fields };
  };
  const root = shown.get('')?.includes('*') ? 'all' : fieldsOf('', schema?.primaryKey);
  return {
    includes,
    fields: { root, relations: Object.fromEntries(includes.map((path) => [path, fieldsOf(path)])) },
  };
}

/** The paths of relations, parents first: of a list of paths, or of nested objects. */
function relationPaths(relations: readonly string[] | object): readonly string[] {
  const paths = new Set<string>();
  const add = (prefix: string, within: object) => {
    for (const [name, deeper] of Object.entries(within) as [string, unknown][]) {
      if (deeper === false || deeper === undefined) continue;
      paths.add(prefix + name);
      if (typeof deeper === 'object' && deeper !== null) add(`${prefix}${name}.`, deeper);
    }
  };
  if (!Array.isArray(relations)) add('', relations);
  else {
    for (const path of relations as readonly string[]) {
      const segments = path.split('.');
      for (const [at] of segments.entries()) paths.add(segments.slice(0, at + 1).join('.'));
    }
  }
  return [...paths];
}
