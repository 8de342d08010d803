/** The details of each error code: paths, operators, parameters and limits; never a client's value or SQL. */

import type { FieldKind } from './types.ts';

/** Details by code. An optional property is absent if it does not apply. */
export interface QueryErrorDetailsByCode {
  readonly QUERY_SYNTAX_INVALID: {
    readonly param?: string;
    readonly path?: string;
    readonly operator?: string;
    readonly maxFilters?: number;
    readonly maxQueryLength?: number;
    readonly maxBodyLength?: number;
  };
  /** `param` is an empty string unless the parameter name consists of plain characters. */
  readonly QUERY_SYNTAX_UNKNOWN_PARAM: { readonly param: string };
  readonly FIELD_NOT_ALLOWED: { readonly param?: string; readonly path?: string };
  readonly OPERATOR_NOT_ALLOWED: { readonly path: string; readonly operator: string };
  readonly FILTER_VALUE_INVALID: {
    readonly path: string;
    readonly operator?: string;
    /** The violated rule of the value. */
    readonly rule?: string;
    readonly kind?: FieldKind;
  };
  readonly PAGINATION_INVALID: {
    readonly param: string;
    readonly maxPerPage?: number;
    readonly maxRows?: number;
    readonly maxOffset?: number;
  };
  readonly CURSOR_INVALID: { readonly param: string };
  readonly SORT_CONFLICT: { readonly path: string };
  readonly OPERATOR_TYPE_MISMATCH: { readonly path: string; readonly operator: string };
  readonly CAPABILITY_UNAVAILABLE: {
    readonly model?: string;
    readonly path?: string;
    readonly kind?: FieldKind;
  };
  /** The model that has no row of the key, or none that the request may see. */
  readonly ROW_NOT_FOUND: { readonly model: string };
  readonly SOURCE_CONFIGURATION_INVALID: ConfigurationDetails;
  /** The model whose scope has no condition or no value for the request, and the path without a value. */
  readonly SCOPE_MISSING: { readonly model: string; readonly path?: string };
  /** All deviations of the database from the profile of its family. */
  readonly PORTABILITY_PROFILE_MISMATCH: { readonly violations: readonly ProfileViolation[] };
  readonly QUERY_TIMEOUT: { readonly timeoutMs: number };
  readonly SOURCE_UNAVAILABLE: { readonly retryAfterSeconds?: number };
  /** Free-form information for correcting the adapter. */
  readonly ADAPTER_CONTRACT_VIOLATION: { readonly [key: string]: unknown };
}

/** The invalid part of a configuration. */
export interface ConfigurationDetails {
  readonly model?: string;
  readonly path?: string;
  readonly table?: string;
  readonly relation?: string;
  /** An entity class of the ORM, and a property of it. */
  readonly entity?: string;
  readonly property?: string;
  /** The key of the rules declaration. */
  readonly rule?: string;
  readonly setting?: string;
  readonly option?: string;
  readonly param?: string;
  /** The key of the plan that `transformPlan` changed. */
  readonly key?: string;
  /** The argument that `customize` set. */
  readonly argument?: string;
  readonly families?: readonly string[];
  /** All differences between the declared schemas and the source. */
  readonly differences?: readonly (SourceDifference | ConfigurationProblem)[];
}

/** One of several problems of a configuration. */
export interface ConfigurationProblem {
  readonly model?: string;
  readonly path?: string;
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
  readonly model: string;
  /** Field or relation; `null` if the model itself differs. */
  readonly path: string | null;
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
  | 'mode'
  | 'missing'
  | 'column-type'
  | 'collation'
  | 'enum-order'
  | 'decimal'
  | 'datetime-form'
  | 'search-index';

/** One deviation from the profile. */
export interface ProfileViolation {
  readonly rule: ProfileRule;
  /** `server`, `database`, `session`, a field as `model.path`, or a column of a join table as `table.column`. */
  readonly where: string;
  /** Text that states the actual and the required state. */
  readonly detail: string;
}
