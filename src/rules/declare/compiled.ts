/** The compiled rules of one endpoint: frozen lookup tables that requests are checked against. */

import type {
  FieldDescriptor,
  QuerySchema,
  RelationDescriptor,
  SchemaRegistry,
} from '../../schema/index.ts';
import type { DatabaseFamily, QueryLimits, QueryRulesDeclaration } from './declaration.ts';
import type { RulesFacts } from '../typed/facts.ts';
import type { OperatorName } from './operators.ts';
import type { CursorForm } from '../plan/cursor-form.ts';
import type { CompiledScopes } from './scopes.ts';
import type { CountPolicy, PlanValue } from '../plan/plan.ts';

/** A path resolved against the registry: the relations it crosses, then a field or a last relation. */
export interface ResolvedPath {
  readonly path: string;
  readonly hops: readonly RelationDescriptor[];
  /** The model that contains the last segment. */
  readonly model: string;
  readonly field: FieldDescriptor | null;
  readonly relation: RelationDescriptor | null;
  /** Whether a relation of the path, the last segment included, is `many`. */
  readonly crossesMany: boolean;
}

/** One filterable path with its operators. */
export interface CompiledFilter {
  readonly target: ResolvedPath;
  readonly operators: ReadonlySet<OperatorName>;
  /** Converts text to a canonical value, checking enum members and text length; `undefined` when it does not fit. */
  readonly coerce: (text: string) => PlanValue | undefined;
  /** Whether a value may be a whole day where the path holds instants. */
  readonly wholeDays: boolean;
}

/** One sortable path. */
export interface CompiledSort {
  readonly target: ResolvedPath;
  /** The position of nulls in both directions; `null` means first ascending, last descending. */
  readonly nulls: 'first' | 'last' | null;
}

/** The fields that may be selected from the root or from one included relation. */
export interface CompiledProjection {
  readonly allowed: ReadonlySet<string>;
  readonly default: readonly string[];
}

/** One relation that a client may include, by its full path. */
export interface CompiledInclude {
  readonly path: string;
  /** Path of the parent include; `null` when the root is the parent. */
  readonly parent: string | null;
  readonly target: ResolvedPath;
  readonly relation: RelationDescriptor;
  readonly projection: CompiledProjection;
  /** Largest number of rows that each parent shows; `null` for a `one` relation, and where there is no limit. */
  readonly maxChildren: number | null;
}

/** The effective pagination of the endpoint: its own rule, else the settings. */
export interface CompiledPagination {
  readonly defaultPerPage: number;
  readonly maxPerPage: number;
  readonly maxUnpaginatedRows: number;
  readonly allowUnpaginated: boolean;
  readonly mode: 'offset' | 'keyset' | 'both';
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
  Facts extends RulesFacts = RulesFacts,
> {
  /** Carries the declared type for the compiler; absent at run time. */
  readonly '~declaration'?: Declaration;
  /** Carries types of the registry and the settings for the compiler; absent at run time. */
  readonly '~facts'?: Facts;
  readonly model: Facts['model'];
  readonly schema: QuerySchema;
  readonly registry: SchemaRegistry;
  readonly filters: ReadonlyMap<string, CompiledFilter>;
  readonly sorts: ReadonlyMap<string, CompiledSort>;
  readonly root: CompiledProjection;
  readonly includes: ReadonlyMap<string, CompiledInclude>;
  readonly search: readonly ResolvedPath[];
  readonly pagination: CompiledPagination;
  readonly families: readonly DatabaseFamily[];
  readonly limits: QueryLimits;
  readonly passthroughParams: ReadonlySet<string>;
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

/** What the compiler knows of the rules besides their declaration. */
export type FactsIn<Rules> = Rules extends { readonly '~facts'?: infer Facts }
  ? Extract<Facts, RulesFacts>
  : RulesFacts;

/** The type of the option `scope` that the rules require; `unknown` where the compiler does not know it. */
export type ScopeIn<Rules> = FactsIn<Rules>['scope'];
