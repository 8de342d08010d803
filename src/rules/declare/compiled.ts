/** The compiled rules of one endpoint: frozen lookups that a request is held against. */

import type {
  FieldDescriptor,
  QuerySchema,
  RelationDescriptor,
  SchemaRegistry,
} from '../../schema/index.ts';
import type { DatabaseFamily, QueryLimits, QueryRulesDeclaration } from './declaration.ts';
import type { OperatorName } from './operators.ts';
import type { CountPolicy, PlanValue } from '../plan/plan.ts';

/** A path resolved against the registry: the relations crossed, then a field or a last relation. */
export interface ResolvedPath {
  readonly path: string;
  readonly hops: readonly RelationDescriptor[];
  /** The model that holds the last segment. */
  readonly model: string;
  readonly field: FieldDescriptor | null;
  readonly relation: RelationDescriptor | null;
  /** Whether any hop (or the last relation) is `many`. */
  readonly crossesMany: boolean;
}

/** One filterable path with its operators. */
export interface CompiledFilter {
  readonly target: ResolvedPath;
  readonly operators: ReadonlySet<OperatorName>;
  /** Accepted text to canonical value, enum members and text length included. */
  readonly coerce: (text: string) => PlanValue | undefined;
}

/** One sortable path. */
export interface CompiledSort {
  readonly target: ResolvedPath;
  /** Where nulls go whatever the direction; `null` means first ascending, last descending. */
  readonly nulls: 'first' | 'last' | null;
}

/** What may be shown of the root or of one included relation. */
export interface CompiledProjection {
  readonly allowed: ReadonlySet<string>;
  readonly default: readonly string[];
}

/** One relation a client may include, by its full path. */
export interface CompiledInclude {
  readonly path: string;
  /** Path of the include it hangs on, `null` at the root. */
  readonly parent: string | null;
  readonly target: ResolvedPath;
  readonly relation: RelationDescriptor;
  readonly projection: CompiledProjection;
}

/** Effective pagination of the endpoint. */
export interface CompiledPagination {
  readonly defaultPerPage: number;
  readonly maxPerPage: number;
  readonly maxUnpaginatedRows: number;
  readonly allowUnpaginated: boolean;
  readonly mode: 'offset' | 'keyset' | 'both';
  readonly count: CountPolicy;
}

/** What `defineQueryRules` returns. Opaque to hosts but for reading. */
export interface CompiledQueryRules<
  Declaration extends QueryRulesDeclaration = QueryRulesDeclaration,
> {
  /** Exists for the compiler only. */
  readonly '~declaration'?: Declaration;
  readonly model: string;
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
  /** Identifies the declaration; equal for equal declarations, so that cursors outlive a restart. */
  readonly fingerprint: string;
}
