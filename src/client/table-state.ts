/** Requests from the state of a TanStack Table, and the state from a request, so that a table follows a link. */

import type { ClientOperand, ClientValue, OperatorName } from '../rules/index.ts';
import type { FieldKind } from '../schema/index.ts';
import type { DescribedFilter, RulesDescription } from '../rules/client/index.ts';

interface SortedColumn {
  /** Id of the column. */
  readonly id: string;
  /** Whether its greatest values come first. */
  readonly desc: boolean;
}

interface FilteredColumn {
  /** Id of the column. */
  readonly id: string;
  /** The condition, as `columnFilters` of the state has it. */
  readonly value: unknown;
}

interface TablePage {
  /** Number of the page, from 0. */
  readonly pageIndex: number;
  /** Rows of a page. */
  readonly pageSize: number;
}

/** The parts of the state of a TanStack Table that a list endpoint answers; versions 8 and 9 have them alike. */
export interface ClientTableState {
  /** Columns by which rows are sorted, the first of them first. */
  readonly sorting?: readonly SortedColumn[];
  /**
   * Conditions of columns. A value is a text, a number, a flag or a `Date`; a list of values for columns with the operator
   * `in`; `[least, most]` for columns with an order, where either may be empty; or an object of operators, such as
   * `{ isNull: true }`. Of columns that hold arrays, a value asks for those that have it, a list of values for those that
   * have any of them. Empty texts and lists are no conditions.
   */
  readonly columnFilters?: readonly FilteredColumn[];
  /** The text of a search. */
  readonly globalFilter?: unknown;
  /** The page, counted from 0, and its rows. */
  readonly pagination?: TablePage;
  /** Columns that are hidden, or shown although the endpoint does not show them by default. */
  readonly columnVisibility?: Readonly<Record<string, boolean>>;
}

/** Operators with their values. */
type Conditions = { readonly [Operator in OperatorName]?: ClientOperand<Operator> };

/** The request of a table, for `list` of a client or for `buildQuery`. */
export interface ClientTableRequest {
  /** Operators with their values, by path. */
  readonly filter?: Readonly<Record<string, Conditions>>;
  /** Paths, with a `-` before those that are sorted descending. */
  readonly sort?: readonly string[];
  /** The text of a search. */
  readonly search?: string;
  /** Number of the page, from 1; absent where the endpoint has pages by cursor alone. */
  readonly page?: number;
  /** Rows of a page. */
  readonly perPage?: number;
  /** Fields that are shown, those of relations by their paths. */
  readonly fields?: readonly string[];
  /** The relations of these fields. */
  readonly includes?: readonly string[];
}

/** TanStack Table writes the dots of a path as underscores in the id of its column. */
const idOf = (path: string): string => path.replaceAll('.', '_');

/** The one of some paths that a column shows: by its id, or by the id that the table makes of the path. */
function pathOf(id: string, paths: readonly string[], part: string): string {
  const [path, ...others] = paths.filter((each) => each === id || idOf(each) === id);
  if (path !== undefined && others.length === 0) return path;
  throw new TypeError(`Column "${id}" must have the id of one path of the endpoint's ${part}`);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every(isEmpty));

/** The first of some operators that a path takes. */
function operatorOf(
  { path, operators }: DescribedFilter,
  among: readonly OperatorName[],
): OperatorName {
  const found = among.find((each) => operators.includes(each));
  if (found) return found;
  throw new TypeError(
    `Filter "${path}" takes none of ${among.join(', ')}; use an object of its operators`,
  );
}

/** Whether values of a kind are arrays, whose members are asked for. */
const isArray = (kind: DescribedFilter['kind']): boolean => kind?.endsWith('[]') ?? false;

/** How a single value of a column is compared: texts as people search for them, everything else as it is. */
const single = ({ kind }: DescribedFilter): readonly OperatorName[] =>
  isArray(kind)
    ? ['has']
    : kind === 'string'
      ? ['ilike', 'like', 'istartsWith', 'startsWith', 'eq']
      : [kind === null ? 'isNull' : 'eq', 'ilike', 'like'];

/** Kinds of which two values are the ends of a range. */
const ranged: ReadonlySet<unknown> = new Set<FieldKind>([
  'integer',
  'bigint',
  'decimal',
  'float',
  'date',
  'datetime',
]);

/** The conditions of a column. */
function conditionsOf(filter: DescribedFilter, value: unknown): Conditions {
  if (Array.isArray(value)) {
    const values = value as readonly ClientValue[];
    const { kind, operators } = filter;
    if (values.length !== 2 || !ranged.has(kind) || !operators.some((each) => ends.has(each))) {
      return { [operatorOf(filter, isArray(kind) ? ['hasAny'] : ['in'])]: values };
    }
    const [least, most] = values;
    return {
      ...(!isEmpty(least) && { [operatorOf(filter, ['gte'])]: least }),
      ...(!isEmpty(most) && { [operatorOf(filter, ['lte'])]: most }),
    };
  }
  if (typeof value === 'object' && !(value instanceof Date)) return value as Conditions;
  return { [operatorOf(filter, single(filter))]: value as ClientValue };
}

const ends: ReadonlySet<OperatorName> = new Set<OperatorName>(['gte', 'lte']);

/**
 * The request that answers the state of a table whose rows come from the endpoint (`manualSorting`, `manualFiltering`,
 * `manualPagination`). Columns have the ids of paths, with dots or, as the table makes them, with underscores.
 *
 * @param description what the endpoint takes, from `describeRules`
 * @throws {TypeError} when a column that is sorted or filtered has no path in the description, two of them, a value for
 * which its path has no operator, or is filtered twice: without it, the request would answer other rows than the table says
 */
export function requestOfTable(
  description: RulesDescription,
  state: ClientTableState,
): ClientTableRequest {
  const { sorting = [], columnFilters = [], globalFilter, pagination, columnVisibility } = state;
  const sorts = description.sorts.map(({ path }) => path);
  const filters = description.filters.map(({ path }) => path);
  const filter = new Map<string, Conditions>();
  for (const { id, value } of columnFilters) {
    if (isEmpty(value)) continue;
    const path = pathOf(id, filters, 'filters');
    if (filter.has(path)) throw new TypeError(`Column "${id}" must not be filtered twice`);
    const described = description.filters.find((each) => each.path === path) as DescribedFilter;
    filter.set(path, conditionsOf(described, value));
  }
  return {
    ...(filter.size > 0 && { filter: Object.fromEntries(filter) }),
    ...(sorting.length > 0 && {
      sort: sorting.map(({ id, desc }) => `${desc ? '-' : ''}${pathOf(id, sorts, 'sorts')}`),
    }),
    ...(!isEmpty(globalFilter) && { search: String(globalFilter) }),
    ...(pagination && {
      ...(description.pagination.mode !== 'keyset' && { page: pagination.pageIndex + 1 }),
      perPage: pagination.pageSize,
    }),
    ...(columnVisibility && shownFields(description, columnVisibility)),
  };
}

/** The fields of visible columns: those of the default that are not hidden, and others that are shown. */
function shownFields(
  { fields, includes }: RulesDescription,
  visibility: Readonly<Record<string, boolean>>,
): Pick<ClientTableRequest, 'fields' | 'includes'> {
  const said = new Map(Object.entries(visibility));
  const isShown = (path: string, isUsual: boolean) =>
    said.get(path) ?? said.get(idOf(path)) ?? isUsual;
  const own = fields.allowed.filter((path) => isShown(path, fields.default.includes(path)));
  const related = includes.map(({ path, allowed }) => ({
    path,
    shown: allowed.map((field) => `${path}.${field}`).filter((field) => isShown(field, false)),
  }));
  const isNeeded = (path: string) =>
    related.some((each) => each.shown.length > 0 && `${each.path}.`.startsWith(`${path}.`));
  const included = related.map(({ path }) => path).filter(isNeeded);
  return {
    fields: [...own, ...related.flatMap(({ shown }) => shown)],
    ...(included.length > 0 && { includes: included }),
  };
}

/**
 * The state of a table that shows a request: the inverse of {@link requestOfTable}, for a link that is opened. Conditions
 * that a column does not make of a plain value stay objects of operators.
 *
 * @param description what the endpoint takes, from `describeRules`
 * @param request a request of a table; its `fields` are left out, since they do not say which columns there are
 * @throws {TypeError} when the request has `where`: without it, the table would show other rows than the link says
 */
export function tableOfRequest(
  description: RulesDescription,
  request: ClientTableRequest,
): Required<Omit<ClientTableState, 'columnVisibility' | 'globalFilter'>> & {
  globalFilter: string;
} {
  if ('where' in request && request.where !== undefined)
    throw new TypeError('Request must not have "where", which no column shows');
  const { filter = {}, sort = [], search, page = 1, perPage } = request;
  return {
    sorting: sort.map((term) => {
      const desc = term.startsWith('-');
      return { id: idOf(desc ? term.slice(1) : term), desc };
    }),
    columnFilters: Object.entries(filter).map(([path, conditions]) => ({
      id: idOf(path),
      value: valueOf(
        description.filters.find((each) => each.path === path),
        operatorsOf(conditions),
      ),
    })),
    globalFilter: search ?? '',
    pagination: {
      pageIndex: page - 1,
      pageSize: perPage ?? description.pagination.defaultPerPage,
    },
  };
}

/** Conditions as an object of operators: requests may have a value for `eq`, and a list for `in`. */
function operatorsOf(asked: unknown): Conditions {
  if (Array.isArray(asked)) return { in: asked as readonly ClientValue[] };
  const isObject = typeof asked === 'object' && asked !== null && !(asked instanceof Date);
  return isObject ? asked : { eq: asked as ClientValue };
}

/** The value of a column whose conditions are these. */
function valueOf(filter: DescribedFilter | undefined, conditions: Conditions): unknown {
  const entries = Object.entries(conditions);
  const [first] = entries;
  if (!filter || !first) return conditions;
  const candidates = [first[1], [conditions.gte, conditions.lte]];
  const isSame = (candidate: unknown) => {
    try {
      return JSON.stringify(conditionsOf(filter, candidate)) === JSON.stringify(conditions);
    } catch {
      return false;
    }
  };
  return candidates.find((candidate) => !isEmpty(candidate) && isSame(candidate)) ?? conditions;
}
