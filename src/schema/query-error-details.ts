/** The details of each error code: paths, operators, parameters and limits; never a client's value or SQL. */

import type { FieldKind } from './types.ts';

/** The part of the text of `where` that an error is about, in UTF-16 code units. */
interface TextPlace {
  /** Its first character, from 0. */
  readonly start?: number;
  /** Its end, exclusive. */
  readonly end?: number;
}

/** Details by code. An optional property is absent if it does not apply. */
export interface QueryErrorDetailsByCode {
  /** The query string or the body is not written as the grammar requires, or is larger than a limit. */
  readonly QUERY_SYNTAX_INVALID: {
    /** Name of the parameter. */
    readonly param?: string;
    /** Path of the filter. */
    readonly path?: string;
    /** Operator of the filter. */
    readonly operator?: string;
    /** Largest number of filters of a request. */
    readonly maxFilters?: number;
    /** Largest number of groups within each other. */
    readonly maxDepth?: number;
    /** Largest number of filters in the groups of a request. */
    readonly maxTerms?: number;
    /** Largest length of the query string, in characters. */
    readonly maxQueryLength?: number;
    /** Largest length of a body, in percent-encoded characters. */
    readonly maxBodyLength?: number;
  } & TextPlace;
  /** `param` is an empty string unless the parameter name consists of plain characters. */
  readonly QUERY_SYNTAX_UNKNOWN_PARAM: {
    /** Name of the parameter. */
    readonly param: string;
  };
  /** The rules do not list the path, or it does not exist; both give the same answer. */
  readonly FIELD_NOT_ALLOWED: {
    /** Name of the parameter that holds the path. */
    readonly param?: string;
    /** The path, where it consists of plain characters. */
    readonly path?: string;
  } & TextPlace;
  /** The rules list the path, but not this operator for it. */
  readonly OPERATOR_NOT_ALLOWED: {
    /** Path of the filter. */
    readonly path: string;
    /** The operator that is not allowed. */
    readonly operator: string;
    /** The parameter, where the filter is one of the children of an include, or of `where`. */
    readonly param?: string;
  } & TextPlace;
  /** The value of a filter does not fit the kind of its field. */
  readonly FILTER_VALUE_INVALID: {
    /** Path of the filter. */
    readonly path: string;
    /** Operator of the filter. */
    readonly operator?: string;
    /** The violated rule of the value. */
    readonly rule?: string;
    /** Kind of the field, whose form the value must have. */
    readonly kind?: FieldKind;
    /** The parameter, where the filter is one of the children of an include, or of `where`. */
    readonly param?: string;
  } & TextPlace;
  /** The terms of the request cost more than the endpoint allows. */
  readonly QUERY_TOO_EXPENSIVE: {
    /** The term that costs most, without its value. */
    readonly term: string;
    /** The cost of the request. */
    readonly cost: number;
    /** The largest cost of a request. */
    readonly maxCost: number;
  };
  /** A page or its size is not a number, or is beyond a limit. */
  readonly PAGINATION_INVALID: {
    /** Name of the parameter. */
    readonly param: string;
    /** Largest size of a page, in rows. */
    readonly maxPerPage?: number;
    /** Largest number of rows without pages. */
    readonly maxRows?: number;
    /** Largest number of rows that a page may skip. */
    readonly maxOffset?: number;
  };
  /** The cursor is malformed, or belongs to another endpoint, order, filter or scope. */
  readonly CURSOR_INVALID: {
    /** Name of the parameter. */
    readonly param: string;
  };
  /** A path is sorted in both directions. */
  readonly SORT_CONFLICT: {
    /** Path that is sorted twice. */
    readonly path: string;
  };
  /** The rules allow an operator that the kind of the field does not have. */
  readonly OPERATOR_TYPE_MISMATCH: {
    /** Path of the filter. */
    readonly path: string;
    /** The operator that the kind does not have. */
    readonly operator: string;
  };
  /** The declaration needs an ability that the kind, the field or the database family does not have. */
  readonly CAPABILITY_UNAVAILABLE: {
    /** The model that lacks the ability. */
    readonly model?: string;
    /** The field that lacks the ability. */
    readonly path?: string;
    /** Kind of the field. */
    readonly kind?: FieldKind;
  };
  /** The model that has no row of the key, or none that the request may see. */
  readonly ROW_NOT_FOUND: {
    /** Name of the model. */
    readonly model: string;
  };
  /** The declaration, the settings or an option of a source is wrong. */
  readonly SOURCE_CONFIGURATION_INVALID: ConfigurationDetails;
  /** The model whose scope has no condition or no value for the request, and the path without a value. */
  readonly SCOPE_MISSING: {
    /** Name of the model. */
    readonly model: string;
    /** The path of the scope that has no value. */
    readonly path?: string;
  };
  /** All deviations of the database from the profile of its family. */
  readonly PORTABILITY_PROFILE_MISMATCH: {
    /** One entry for each deviation. */
    readonly violations: readonly ProfileViolation[];
  };
  /** The request took longer than its limit of time. */
  readonly QUERY_TIMEOUT: {
    /** The limit of time, in milliseconds. */
    readonly timeoutMs: number;
  };
  /** The database does not answer, or refuses connections. */
  readonly SOURCE_UNAVAILABLE: {
    /** Seconds after which another attempt is useful; absent if unknown. */
    readonly retryAfterSeconds?: number;
  };
  /** Free-form information for correcting the adapter. */
  readonly ADAPTER_CONTRACT_VIOLATION: { readonly [key: string]: unknown };
}

/** The invalid part of a configuration. */
export interface ConfigurationDetails {
  /** The model that is concerned. */
  readonly model?: string;
  /** The field or relation that is concerned. */
  readonly path?: string;
  /** The table that is concerned, by its name in the database. */
  readonly table?: string;
  /** The relation that is concerned, by its name in the declaration. */
  readonly relation?: string;
  /** An entity class of the ORM, and a property of it. */
  readonly entity?: string;
  /** Property of `entity`. */
  readonly property?: string;
  /** The key of the rules declaration. */
  readonly rule?: string;
  /** Key of the settings of `defineQueryRules`. */
  readonly setting?: string;
  /** Name of the option of a function or a source. */
  readonly option?: string;
  /** Name of the request parameter that a setting claims. */
  readonly param?: string;
  /** The key of the plan that `transformPlan` changed. */
  readonly key?: string;
  /** The argument that `customize` set. */
  readonly argument?: string;
  /** Database families that the declaration and the source name, where they differ. */
  readonly families?: readonly string[];
  /** All differences between the declared schemas and the source. */
  readonly differences?: readonly (SourceDifference | ConfigurationProblem)[];
}

/** One of several problems of a configuration. */
export interface ConfigurationProblem {
  /** The model that is concerned; absent where the problem is not of one model. */
  readonly model?: string;
  /** The field or relation that is concerned. */
  readonly path?: string;
  /** Text that states the problem and the way out. */
  readonly message: string;
}

/** The part of a schema that differs from the source. */
export type SourceRule =
  | 'registry'
  | 'model'
  | 'primaryKey'
  | 'field'
  | 'companion'
  | 'kind'
  | 'enumValues'
  | 'nullable'
  | 'relation'
  | 'target'
  | 'cardinality';

/** One difference between a declared schema and the source. */
export interface SourceDifference {
  /** The model whose declaration differs. */
  readonly model: string;
  /** Field or relation; `null` if the model itself differs. */
  readonly path: string | null;
  /** The part of the declaration that differs. */
  readonly rule: SourceRule;
  /** Text of the declaration. */
  readonly declared: string;
  /** Text of the source's counterpart. */
  readonly found: string;
}

/** The violated rule of the profile. */
export type ProfileRule =
  | 'version'
  | 'encoding'
  | 'time-zone'
  | 'date-style'
  | 'float-digits'
  | 'mode'
  | 'missing'
  | 'column-type'
  | 'collation'
  | 'enum-order'
  | 'decimal'
  | 'datetime-form'
  | 'nullable'
  | 'unique'
  | 'first-row'
  | 'index'
  | 'search-index';

/** One deviation from the profile. */
export interface ProfileViolation {
  /** The rule of the profile that is violated. */
  readonly rule: ProfileRule;
  /** `server`, `database`, `session`, a field as `model.path`, or a column of a join table as `table.column`. */
  readonly where: string;
  /** Text that states the actual and the required state. */
  readonly detail: string;
}
