/** The compiled rules of one endpoint: frozen lookup tables that requests are checked against. */

import type {
  FieldDescriptor,
  QuerySchema,
  RelationDescriptor,
  SchemaRegistry,
} from '../../schema/index.ts';
import type {
  DatabaseFamily,
  GroupsRule,
  Quantifier,
  QueryLimits,
  QueryRulesDeclaration,
} from './declaration.ts';
import type { AggregateField } from '../aggregates/aggregate.ts';
import type { RulesTypes } from '../typed/rules-types.ts';
import type { OperatorName } from './operators.ts';
import type { CursorForm } from '../plan/cursor/cursor-form.ts';
import type { CompiledScopes } from './scopes.ts';
import type { CountPolicy, PlanValue } from '../plan/plan.ts';

/** A path resolved against the registry: the relations it crosses, then a field or a last relation. */
export interface ResolvedPath {
  /** The path as the rules write it. */
  readonly path: string;
  /** The relations that the path crosses, in order. */
  readonly hops: readonly RelationDescriptor[];
  /** The model that contains the last segment. */
  readonly model: string;
  /** The field at the end; `null` where the path ends with a relation. */
  readonly field: FieldDescriptor | null;
  /** The relation at the end; `null` where the path ends with a field. */
  readonly relation: RelationDescriptor | null;
  /** Whether a relation of the path, the last segment included, is `many`. */
  readonly crossesMany: boolean;
}

/** One filterable path with its operators. */
export interface CompiledFilter {
  /** The path, resolved against the registry. */
  readonly target: ResolvedPath;
  /** The path from the rows of the endpoint, where `target` begins at the rows within a quantifier. */
  readonly whole?: string;
  /** Operators that a client may use on the path. */
  readonly operators: ReadonlySet<OperatorName>;
  /** Converts text to a canonical value, checking enum members and text length; `undefined` when it does not fit. */
  readonly coerce: (text: string) => PlanValue | undefined;
  /** Whether a value may be a whole day where the path holds instants. */
  readonly wholeDays: boolean;
}

/** The filters of one place: of the rows of the endpoint, or of the rows within a quantifier. */
export interface FilterLevel {
  /** Filters by path from the rows. */
  readonly filters: ReadonlyMap<string, CompiledFilter>;
  /** Relations with quantifiers by path from the rows. */
  readonly quantifiers: ReadonlyMap<string, CompiledQuantifier>;
}

/** The rows of one model that filters and sorts are asked of: those of the endpoint, or the children of an include. */
export interface AskedRows extends FilterLevel {
  /** Name of the model of the rows. */
  readonly model: string;
  /** Schema of the model. */
  readonly schema: QuerySchema;
  /** Registry against which the paths were checked. */
  readonly registry: SchemaRegistry;
  /** How far groups of filters may go; `null` where there are none. */
  readonly groups: GroupsRule | null;
  /** Values over the rows of relations, by path; none for children. */
  readonly aggregates: ReadonlyMap<string, ResolvedPath>;
  /** Sorts by path from the rows. */
  readonly sorts: ReadonlyMap<string, CompiledSort>;
  /** Database families on which the rules may run. */
  readonly families: readonly DatabaseFamily[];
  /** Limits of a request. */
  readonly limits: QueryLimits;
}

/** The children of one included relation, as a request may ask for them. */
export interface CompiledChildren extends AskedRows {
  /** Full path of the relation from the root, such as `company.users`. */
  readonly path: string;
  /** Largest number of children of each parent that a request may ask for. */
  readonly maxPerPage: number;
}

/** One relation of which a request may ask that its rows meet conditions together. */
export interface CompiledQuantifier extends FilterLevel {
  /** Full path of the relation from the rows of the endpoint. */
  readonly path: string;
  /** The relation, resolved from the rows in which it is asked. */
  readonly target: ResolvedPath;
  /** Quantifiers that a client may use. */
  readonly allowed: ReadonlySet<Quantifier>;
}

/** One sortable path. */
export interface CompiledSort {
  /** The path, resolved against the registry. */
  readonly target: ResolvedPath;
  /** The position of nulls in both directions; `null` means that it follows the direction. */
  readonly nulls: 'first' | 'last' | null;
}

/** The fields that may be selected from the root or from one included relation. */
export interface CompiledProjection {
  /** Fields that a client may ask for. */
  readonly allowed: ReadonlySet<string>;
  /** Fields that are shown where a request asks for none. */
  readonly default: readonly string[];
  /** The values over relations among them, by name; absent where there are none. */
  readonly aggregates?: ReadonlyMap<string, AggregateField>;
}

/** One relation that a client may include, by its full path. */
export interface CompiledInclude {
  /** Full path of the relation from the root, such as `company.country`. */
  readonly path: string;
  /** Path of the parent include; `null` when the root is the parent. */
  readonly parent: string | null;
  /** The path, resolved against the registry. */
  readonly target: ResolvedPath;
  /** The last relation of the path. */
  readonly relation: RelationDescriptor;
  /** Fields of the related rows that a client may ask for. */
  readonly projection: CompiledProjection;
  /** Largest number of rows that each parent shows; `null` for a `one` relation, and where there is no limit. */
  readonly maxChildren: number | null;
}

/** The effective pagination of the endpoint: its own rule, else the settings. */
export interface CompiledPagination {
  /** Rows of a page where the request names no size. */
  readonly defaultPerPage: number;
  /** Largest size of a page, in rows. */
  readonly maxPerPage: number;
  /** Largest number of rows of an answer to `paginate=false`. */
  readonly maxUnpaginatedRows: number;
  /** Whether `paginate=false` is allowed. */
  readonly allowUnpaginated: boolean;
  /** Whether pages are chosen by number, by cursor, or by either. */
  readonly mode: 'offset' | 'keyset' | 'both';
  /** How the total of offset pages is counted. */
  readonly count: CountPolicy;
  /** The field by whose values keyset pages are merged; `null` where they are not. */
  readonly mergeBy: FieldDescriptor | null;
}

/**
 * The result of `defineQueryRules`: frozen, and read only by Sluice. Pass it to `runQuery`, `planQuery` and the other
 * functions that take rules.
 */
export interface CompiledQueryRules<
  Declaration extends QueryRulesDeclaration = QueryRulesDeclaration,
  Types extends RulesTypes = RulesTypes,
> extends AskedRows {
  /** Carries the declared type for the compiler; absent at run time. */
  readonly '~declaration'?: Declaration;
  /** Carries types of the registry and the settings for the compiler; absent at run time. */
  readonly '~types'?: Types;
  /** Name of the model whose rows the endpoint lists. */
  readonly model: Types['model'];
  /** Fields of the model itself that a client may ask for. */
  readonly root: CompiledProjection;
  /** Relations that a client may include, by full path. */
  readonly includes: ReadonlyMap<string, CompiledInclude>;
  /** Children that a request may filter, sort and limit, by the full path of their include. */
  readonly children: ReadonlyMap<string, CompiledChildren>;
  /** Paths that the parameter `search` compares; empty where the endpoint has no search. */
  readonly search: readonly ResolvedPath[];
  /** Pages of the endpoint. */
  readonly pagination: CompiledPagination;
  /** Whether a request may send filters as one text, `where`. */
  readonly where: boolean;
  /** Names of parameters that belong to the host and are ignored. */
  readonly passthroughParams: ReadonlySet<string>;
  /** How cursors are written and read: readable, or sealed with keys. */
  readonly cursors: CursorForm;
  /** The rows of each model that a request may see; `null` where the settings have no scopes. */
  readonly scopes: CompiledScopes | null;
  /**
   * Identifies the declaration. Equal declarations have equal fingerprints, so that cursors stay valid after a restart.
   */
  readonly fingerprint: string;
}

/** The declaration that the rules were compiled from; the general type where the compiler does not know it. */
export type DeclarationOf<Rules> = Rules extends { readonly '~declaration'?: infer Declaration }
  ? Extract<Declaration, QueryRulesDeclaration>
  : QueryRulesDeclaration;

/** Types of the rules besides their declaration. */
export type TypesIn<Rules> = Rules extends { readonly '~types'?: infer Types }
  ? Extract<Types, RulesTypes>
  : RulesTypes;

/** The type of the option `scope` that the rules require; `unknown` where the compiler does not know it. */
export type ScopeIn<Rules> = TypesIn<Rules>['scope'];
