/** The rules declaration of an endpoint (version 3), and the settings around it. */

import type { OperatorName } from './operators.ts';

/** One filterable path and the operators a client may use on it. */
export interface FilterRule {
  readonly path: string;
  readonly operators: readonly OperatorName[];
}

/** A sortable path; the object form fixes where nulls go whatever the direction asked for. */
export type SortRule = string | { readonly path: string; readonly nulls?: 'first' | 'last' };

/** What a client may ask to see, and what it sees when it does not ask. */
export interface ProjectionRule {
  readonly allowed: readonly string[];
  readonly default: readonly string[];
}

/** Per-endpoint pagination. */
export interface PaginationRule {
  /** Most roots `paginate=false` may answer with. Default: the setting of the same name. */
  readonly maxUnpaginatedRows?: number;
  /** Whether `paginate=false` is accepted. Default: the setting of the same name. */
  readonly allowUnpaginated?: boolean;
  /** Which pages a client may ask for. Default `offset`. */
  readonly mode?: 'offset' | 'keyset' | 'both';
  /** How much of the total an offset page tells. Default `exact`. */
  readonly count?: 'exact' | 'none' | 'capped' | { readonly capped: number };
}

/** The version-3 rules declaration (`spec/3`, "Rules declaration"). */
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

/** Families of databases; those of one family agree with each other. */
export const databaseFamilies = ['postgresql', 'mysql', 'sqlite'] as const;

/** A family of databases that agree with each other. */
export type DatabaseFamily = (typeof databaseFamilies)[number];

/** Bounds on what one request may ask for (decisions-query, "Request grammar"). */
export interface QueryLimits {
  /** Longest query string, in characters as encoded. Default 16384. */
  readonly maxQueryLength: number;
  /** Most filters in a request. Default 50. */
  readonly maxFilters: number;
  /** Most members of an `in` or `notIn` list. Default 1000. */
  readonly maxListLength: number;
  /** Longest text value, in UTF-16 units. Default 1000. */
  readonly maxTextLength: number;
  /** Largest number of rows a page may skip. Default: no limit but 2^53 - 1. */
  readonly maxOffset: number;
}

/** Settings shared by the endpoints of a host. */
export interface QuerySettings {
  /** Page size when `perPage` is absent. Default 10. */
  readonly defaultPerPage?: number;
  /** Largest `perPage`. Default 500. */
  readonly maxPerPage?: number;
  /** Most roots `paginate=false` may answer with. Default: the effective `maxPerPage`. */
  readonly maxUnpaginatedRows?: number;
  /** Whether `paginate=false` is accepted. Default `true`. */
  readonly allowUnpaginated?: boolean;
  /** Database families the endpoint must serve. Default: all three. */
  readonly families?: readonly DatabaseFamily[];
  readonly limits?: Partial<QueryLimits>;
  /** Names of parameters that are the host's own and are left alone. Default: none. */
  readonly passthroughParams?: readonly string[];
  /** Where `count: 'capped'` stops when it names no cap. Default 10000. */
  readonly countCap?: number;
}
