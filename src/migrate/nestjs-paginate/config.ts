/** The configuration of nestjs-paginate: its members, and how each is taken over. */

/** A column and its direction. A list of columns is a polymorphic group. */
export type NestjsPaginateSort = readonly [
  column: string | readonly string[],
  direction: 'ASC' | 'DESC',
];

/**
 * A `PaginateConfig` of nestjs-paginate, which any of its configurations satisfies. Members that decide which rows or
 * values an endpoint shows are taken over, or refused by name.
 */
export interface NestjsPaginateConfig {
  /** Columns that a request may sort by; the first is the default. */
  readonly sortableColumns: readonly string[];
  /** Position of nulls. Default: that of the endpoint, and last on pages by cursor. */
  readonly nullSort?: 'first' | 'last' | undefined;
  /** Texts that `search` looks into. Default: none. */
  readonly searchableColumns?: readonly string[] | undefined;
  /** Columns that are shown. Default: all. */
  readonly select?: readonly string[] | undefined;
  /** Largest `limit`; -1 for none. Default 100. */
  readonly maxLimit?: number | undefined;
  /** Rows of a page without `limit`. Default 20. */
  readonly defaultLimit?: number | undefined;
  /** Sorts of a request without any. Default: the first of `sortableColumns`, ascending. */
  readonly defaultSortBy?: readonly NestjsPaginateSort[] | undefined;
  /** Operators, suffixes and quantifiers of each column; `true` for all. */
  readonly filterableColumns?:
    | { readonly [column: string]: readonly string[] | true | undefined }
    | undefined;
  /** Relations that every answer loads: paths, or nested objects. */
  readonly relations?: readonly string[] | object | undefined;
  /** `cursor` for pages by cursor; every other value means pages by number. */
  readonly paginationType?: string | undefined;
  /** Whether each word of a search must be found. Default: the text as a whole. */
  readonly multiWordSearch?: boolean | undefined;
  /** Whether the parameter `searchBy` is ignored. Default `false`. */
  readonly ignoreSearchByInQueryParam?: boolean | undefined;
  /** Whether the parameter `select` is ignored. Default `false`. */
  readonly ignoreSelectInQueryParam?: boolean | undefined;
  /** Whether a filter that the configuration does not name is refused. Default: it is ignored. */
  readonly throwOnInvalidFilter?: boolean | undefined;
  /** Most parts of an expression in the parameter `filter`. Default 100. */
  readonly filterExpressionMaxComplexity?: number | undefined;
  /** Whether links are paths without an origin. Default `false`. */
  readonly relativePath?: boolean | undefined;
  /** Origin of links. Default: that of the request. */
  readonly origin?: string | undefined;
}

/** A member that is not taken over, with the sentence that says so. */
interface LeftOut {
  /** `refused` where the rows of the list would differ. */
  readonly effect: 'refused' | 'differs';
  readonly because: string;
}

/** The members of a configuration; `null` where one is taken over. */
export const configMembers: { readonly [member: string]: LeftOut | null } = {
  sortableColumns: null,
  nullSort: null,
  searchableColumns: null,
  select: null,
  maxLimit: null,
  defaultLimit: null,
  defaultSortBy: null,
  filterableColumns: null,
  relations: null,
  paginationType: null,
  multiWordSearch: null,
  ignoreSearchByInQueryParam: null,
  ignoreSelectInQueryParam: null,
  throwOnInvalidFilter: null,
  relativePath: null,
  origin: null,
  where: {
    effect: 'refused',
    because: 'give its condition as transformPlan or as a scope, and leave it out',
  },
  joinMethods: {
    effect: 'refused',
    because: 'an included relation leaves no row out; give the condition as transformPlan',
  },
  defaultJoinMethod: {
    effect: 'refused',
    because: 'an included relation leaves no row out; give the condition as transformPlan',
  },
  withDeleted: {
    effect: 'refused',
    because: 'pass withDeleted: true to typeormSource, and leave it out',
  },
  allowWithDeletedInQuery: {
    effect: 'differs',
    because: 'the parameter withDeleted is ignored, and deleted rows are left out',
  },
  loadEagerRelations: {
    effect: 'differs',
    because: 'eager relations are not loaded; list them in relations',
  },
  buildCountQuery: { effect: 'differs', because: 'the count joins only what its filters need' },
  optimizedCount: { effect: 'differs', because: 'the count joins only what its filters need' },
  filterExpressionMaxComplexity: null,
};
