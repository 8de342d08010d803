/** The rules declaration of an endpoint, and the settings shared by the endpoints of a host. */

import { type DatabaseFamily, databaseFamilies } from '../../schema/index.ts';
import type { AggregateRules } from '../aggregates/aggregate.ts';
import type { OperatorName } from './operators.ts';
import type { ModelScopes } from './scopes.ts';

/** One filterable path and the operators that a client may use on it. */
export interface FilterRule {
  /** Path of a field or relation, such as `company.name`. */
  readonly path: string;
  /** Operators that a client may use on the path. */
  readonly operators: readonly OperatorName[];
  /**
   * Whether a client may also send a whole day, such as `2022-01-31`, where the path holds instants. It stands for the
   * time from its first to its last moment in UTC: `eq` keeps rows of that day, `gt` those after it, `between` includes
   * both days. Only for kind `datetime`. Default `false`.
   */
  readonly wholeDays?: boolean;
}

/** How far groups of filters may go: `$or`, `$and` and `$not`. */
export interface GroupsRule {
  /** Largest number of groups within each other, from 1 to 8. */
  readonly depth: number;
  /** Largest number of filters within the groups of a request. */
  readonly terms: number;
}

/** How many rows of a relation must meet conditions together: at least one, every one, or none. */
export type Quantifier = 'some' | 'every' | 'none';

/**
 * A relation with many rows of which a request may ask that one row meets several conditions, as in
 * `filter[posts][$some][title]=x&filter[posts][$some][published]=true`. The filters whose paths continue that of the
 * relation may be used in it. A relation behind another one with many rows is asked within that one. The text form
 * allows every quantifier.
 */
export type QuantifierRule =
  | string
  | {
      /** Path of the relation, such as `posts` or `posts.comments`. */
      readonly path: string;
      /** The quantifiers that a client may use. Default: all. */
      readonly quantifiers?: readonly Quantifier[];
    };

/**
 * A sortable path. The object form fixes the position of nulls for both directions. By default they come first ascending
 * and last descending; on an endpoint of PostgreSQL alone, as in its indexes, last ascending and first descending.
 */
export type SortRule =
  | string
  | {
      /** Path of a field, such as `company.name`. */
      readonly path: string;
      /** Position of nulls in both directions. Default: it follows the direction, as described above. */
      readonly nulls?: 'first' | 'last';
    };

/**
 * The fields that a client may request (`allowed`), and those it gets when it does not request any (`default`). For a
 * relation, `<relation>.*` stands for every visible field in `allowed`, and for every allowed field in `default`.
 */
export interface ProjectionRule {
  /** Fields that a client may ask for. */
  readonly allowed: readonly string[];
  /** Fields that are shown where a request asks for none; some of `allowed`. */
  readonly default: readonly string[];
}

/** The projection of an included relation. */
export interface RelationProjectionRule extends ProjectionRule {
  /**
   * Largest number of rows of a `many` relation that each row of an answer includes; `false` for no limit. A row that
   * shows fewer than it has names the relation in `$truncated`. Default: the setting of the same name.
   */
  readonly maxChildren?: number | false;
}

/**
 * Children of an included relation as a request may ask for them, as in
 * `include[posts][filter][published]=true&include[posts][sort]=-createdAt&include[posts][perPage]=5`. Paths begin at the
 * children.
 */
export interface ChildrenRule {
  /** Paths that a client may filter the children by, with their operators. Default: none. */
  readonly filters?: readonly FilterRule[];
  /** Whether a client may join these filters by `$or`, `$and` and `$not`, and how many. Default: all have to hold. */
  readonly groups?: GroupsRule;
  /** Relations of the children of which one row, every row or no row meets several of these filters. Default: none. */
  readonly quantifiers?: readonly QuantifierRule[];
  /** Paths that a client may sort the children by. Default: none; children are in the order of their primary key. */
  readonly sorts?: readonly SortRule[];
  /**
   * Largest number of children of each parent that a client may ask for, at most the `maxChildren` of the relation.
   * Default: that number; where it is not limited, the largest `perPage` of the endpoint. A request that names no number
   * shows as many children as one without this rule.
   */
  readonly maxPerPage?: number;
}

/** Pagination of one endpoint; an absent property takes the setting of the same name. */
export interface PaginationRule {
  /** Largest number of root rows that `paginate=false` may return. Default: the setting of the same name. */
  readonly maxUnpaginatedRows?: number;
  /** Whether `paginate=false` is accepted. Default: the setting of the same name. */
  readonly allowUnpaginated?: boolean;
  /** Which pages a client may ask for. Default `offset`. */
  readonly mode?: 'offset' | 'keyset' | 'both';
  /** How offset pages report the total: exactly, not at all, or up to a cap. Default `exact`. */
  readonly count?:
    | 'exact'
    | 'none'
    | 'capped'
    | {
        /** Number of rows at which counting stops. */
        readonly capped: number;
      };
  /**
   * A field of the model that precedes the order in an index, such as `status` in `(tenant, status, created_at desc,
   * id)`. A keyset page over several of its values is then read as one part per value, each in the order of the index,
   * and merged in the same statement, instead of sorting all rows. Parts are the values that a filter lists, or the
   * members of an enum. The field is an enum, a boolean or a whole number. Default none.
   */
  readonly mergeBy?: string;
}

/** The fields of the root, and of each relation in `includes` by its path. */
export interface FieldsRule {
  /** `'all'` stands for every visible field, allowed and by default. */
  readonly root: ProjectionRule | 'all';
  /** Fields of each included relation, by its full path. */
  readonly relations?: { readonly [relationPath: string]: RelationProjectionRule };
}

/** Everything that a client may request from an endpoint: paths with operators, sorts, fields, relations and pages. */
export interface QueryRulesDeclaration {
  /** Paths that a client may filter, with their operators. Default: none. */
  readonly filters?: readonly FilterRule[];
  /**
   * Whether a client may join filters by `$or`, `$and` and `$not`, as in `filter[$or][0][age][gte]=65`, and how many.
   * The filters within are those of `filters`. Default: all filters of a request have to hold.
   */
  readonly groups?: GroupsRule;
  /** Relations of which a request may ask that one row, every row or no row meets several conditions. Default: none. */
  readonly quantifiers?: readonly QuantifierRule[];
  /**
   * Whether a client may also send its filters as one text, as in `where=age >= 65 or company.name = Acme`, under the
   * rules of `filters`, `groups` and `quantifiers`. Default `false`.
   */
  readonly where?: boolean;
  /**
   * Values over the rows of relations, by the path of the relation: their number, and the sum, the smallest and the
   * greatest value of a field. Filters, sorts and fields of these rules then name them like fields, as in
   * `{ path: 'posts.$count', operators: ['gte'] }`. `'all'` and wildcards do not stand for them. Default: none.
   */
  readonly aggregates?: AggregateRules;
  /** Paths that a client may sort by. Default: none. */
  readonly sorts?: readonly SortRule[];
  /**
   * The fields of the root and of every relation in `includes`. `'all'` stands for every visible field, allowed and by
   * default: for the root, or for the root and every relation. A field that a model gets later is then shown as well,
   * so mark fields that no client may see as `internal`.
   */
  readonly fields: FieldsRule | 'all';
  /** Relations that a client may include, by full path. Default: none. */
  readonly includes?: readonly string[];
  /**
   * Which children of included relations with many rows a client may ask for: filters, sorts and their number, by the
   * path of the include. Default: a client cannot choose.
   */
  readonly children?: { readonly [includePath: string]: ChildrenRule };
  /** Text fields that the parameter `search` compares. Default: none, and no such parameter. */
  readonly search?: readonly string[];
  /** Pages of this endpoint. Default: those of the settings. */
  readonly pagination?: PaginationRule;
}

export { type DatabaseFamily, databaseFamilies };

/** Bounds on the size of one request. */
export interface QueryLimits {
  /** Longest query string without the value of `cursor`, in percent-encoded characters. Default 16384. */
  readonly maxQueryLength: number;
  /** Longest body of a POST or QUERY request, in percent-encoded characters. Default 262144. */
  readonly maxBodyLength: number;
  /** Largest number of filters in a request. Default 50. */
  readonly maxFilters: number;
  /** Largest number of members of an `in` or `notIn` list. Default 1000. */
  readonly maxListLength: number;
  /** Longest text value, in UTF-16 code units. Default 1000. */
  readonly maxTextLength: number;
  /** Largest number of rows that a page may skip. Default 2^53 - 1. */
  readonly maxOffset: number;
  /**
   * Largest cost of a request, of which `explainCost` shows the terms. Default: 100 for an endpoint with groups,
   * quantifiers, aggregates or `children`, and none for others.
   */
  readonly cost?: number;
}

/** Settings shared by the endpoints of a host. */
export interface QuerySettings {
  /** Page size when `perPage` is absent. Default 10. */
  readonly defaultPerPage?: number;
  /** Largest `perPage`. Default 500. */
  readonly maxPerPage?: number;
  /** Largest number of root rows that `paginate=false` may return. Default: the effective `maxPerPage`. */
  readonly maxUnpaginatedRows?: number;
  /** Whether `paginate=false` is accepted. Default `true`. */
  readonly allowUnpaginated?: boolean;
  /**
   * Largest number of rows of a `many` relation that each row of an answer includes; `false` for no limit. A row that
   * shows fewer than it has names the relation in `$truncated`. Default 100.
   */
  readonly maxChildren?: number | false;
  /**
   * Database families that the endpoint must serve. An endpoint for a single family may use that family's own order of
   * `uuid` and `enum`, and its own case folding for `ilike` and search, without companion columns, and has nulls where its
   * indexes have them: on PostgreSQL last ascending and first descending. Default: those of the registry,
   * such as the family of the tables that it was derived from, else all three.
   */
  readonly families?: readonly DatabaseFamily[];
  /**
   * Holds a registry that belongs to one family to the rules of all three, so that answers do not depend on the family.
   * Not together with `families`. Default `false`.
   */
  readonly portable?: boolean;
  /** Limits of a request. Default: those of `QueryLimits`. */
  readonly limits?: Partial<QueryLimits>;
  /** Names of parameters that belong to the host and are ignored. Default: none. */
  readonly passthroughParams?: readonly string[];
  /** The cap of `count: 'capped'` without a number. Default 10000. */
  readonly countCap?: number;
  /**
   * Secrets of at least 32 characters for the encryption of cursors. The first encrypts, every one decrypts: to rotate
   * them, add a new one in front, and remove the old one when its cursors are no longer used. Every instance needs the
   * same secrets. Default: none; cursors are then readable, and an endpoint with cursors must allow every field that
   * they contain.
   */
  readonly cursorKeys?: string | readonly string[];
  /**
   * The rows of each model that a request may see, such as those of its tenant: functions by model name that return a
   * condition, given the option `scope` of the request. Rows outside of it are treated as absent: as root rows, through
   * every relation of filters, sorts, search and includes, and in totals. Every model that the rules reach needs an
   * entry; `'unscoped'` stands for a model all of whose rows every request may see. The functions are called for each
   * request, and once at boot with placeholders, to check their paths and operators. Default: requests see all rows.
   */
  readonly scopes?: ModelScopes;
}
