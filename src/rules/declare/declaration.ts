/** The rules declaration of an endpoint, and the settings shared by the endpoints of a host. */

import type { OperatorName } from './operators.ts';
import type { ModelScopes } from './scopes.ts';

/** One filterable path and the operators that a client may use on it. */
export interface FilterRule {
  readonly path: string;
  readonly operators: readonly OperatorName[];
}

/**
 * A sortable path. The object form fixes the position of nulls for both directions; by default they come first
 * ascending and last descending.
 */
export type SortRule = string | { readonly path: string; readonly nulls?: 'first' | 'last' };

/** The fields that a client may request (`allowed`), and those it gets when it does not request any (`default`). */
export interface ProjectionRule {
  readonly allowed: readonly string[];
  readonly default: readonly string[];
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
  readonly count?: 'exact' | 'none' | 'capped' | { readonly capped: number };
}

/** Everything that a client may request from an endpoint: paths with operators, sorts, fields, relations and pages. */
export interface QueryRulesDeclaration {
  readonly filters?: readonly FilterRule[];
  readonly sorts?: readonly SortRule[];
  readonly fields: {
    readonly root: ProjectionRule;
    readonly relations?: { readonly [relationPath: string]: ProjectionRule };
  };
  readonly includes?: readonly string[];
  readonly search?: readonly string[];
  readonly pagination?: PaginationRule;
}

/** The supported database families. */
export const databaseFamilies = ['postgresql', 'mysql', 'sqlite'] as const;

/** A database family: databases with the same SQL dialect, ordering and types. */
export type DatabaseFamily = (typeof databaseFamilies)[number];

/** Bounds on the size of one request. */
export interface QueryLimits {
  /** Longest query string, in percent-encoded characters. Default 16384. */
  readonly maxQueryLength: number;
  /** Largest number of filters in a request. Default 50. */
  readonly maxFilters: number;
  /** Largest number of members of an `in` or `notIn` list. Default 1000. */
  readonly maxListLength: number;
  /** Longest text value, in UTF-16 code units. Default 1000. */
  readonly maxTextLength: number;
  /** Largest number of rows that a page may skip. Default 2^53 - 1. */
  readonly maxOffset: number;
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
  /** Database families that the endpoint must serve. Default: all three. */
  readonly families?: readonly DatabaseFamily[];
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
