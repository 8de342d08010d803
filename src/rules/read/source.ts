/** What an adapter provides: a source that reads the rows of a plan and counts them. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { DatabaseFamily } from '../declare/declaration.ts';
import type { ResolvedPlan } from '../plan/plan.ts';
import type { FieldKind, SchemaRegistry } from '../../schema/index.ts';

/** A presented row: plain JSON data. */
export type Row = { [field: string]: unknown };

/** Which statements `customize` runs for. */
export type CustomizeScope = 'both' | 'data' | 'count';

/** What one read may be told. `Customize` is the source's own hook type. */
export interface ReadOptions<Customize = unknown> {
  /** Changes the ORM's own query before it runs. Default: none. */
  readonly customize?: Customize | undefined;
  /** The statements that `customize` changes. Default `both`. */
  readonly customizeScope?: CustomizeScope | undefined;
  /** Milliseconds after which the request fails with `QUERY_TIMEOUT`. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Stops the read; the call then rejects with the reason of the signal. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The rows of a page, presented. */
export interface PageRows<R = Row> {
  readonly rows: R[];
  /** Whether the window held more rows than the page takes. */
  readonly hasMore: boolean;
  /** Texts of the order terms of the first and last row; only for keyset windows with rows. */
  readonly first?: readonly (string | null)[] | undefined;
  readonly last?: readonly (string | null)[] | undefined;
  /** The same texts of any row, for a source that makes one page out of several. */
  readonly place?: ((index: number) => readonly (string | null)[]) | undefined;
}

/** A plan lowered for one source, ready to run. */
export interface PreparedRead<R = Row> {
  /** Whether rows and count may run at the same time. */
  readonly concurrent: boolean;
  /** What identifies the predicate and its values; equal texts count equal rows. */
  readonly countKey: string;
  rows(): Promise<PageRows<R>>;
  count(): Promise<number>;
}

/** A column as the ORM knows it. */
export interface DescribedField {
  /** Every kind that the column can hold. */
  readonly kinds: ReadonlySet<FieldKind>;
  readonly nullable: boolean;
  /** Members of an enum, where the ORM knows them. */
  readonly enumValues?: readonly string[] | undefined;
}

/** A relation as the ORM knows it. */
export interface DescribedRelation {
  /** Model name. */
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  /** Whether a `one` relation may be absent; `undefined` where the ORM does not say. */
  readonly nullable: boolean | undefined;
}

/** A model as the ORM knows it; what the source check holds declared schemas against. */
export interface DescribedModel {
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, DescribedField>;
  readonly relations: ReadonlyMap<string, DescribedRelation>;
}

/** What stands behind sources of one registry and one ORM schema, however often a source is made. */
export interface SourceOrigin {
  /** The model as the ORM knows it; `undefined` where it has none of that name. */
  describe(model: string): DescribedModel | undefined;
}

/**
 * Where rows come from: an ORM's handle on one model. Made by `drizzleSource`, `typeormSource` or
 * `prismaSource`. `R` is the row type the source knows, `Customize` its hook for `options.customize`.
 */
export interface QuerySource<R = Row, Customize = unknown> {
  readonly model: string;
  readonly family: DatabaseFamily;
  readonly registry: SchemaRegistry;
  /** What the source check asks; a source without one is not checked. */
  readonly origin?: SourceOrigin | undefined;
  prepare(
    plan: ResolvedPlan,
    rules: CompiledQueryRules,
    options: ReadOptions<Customize>,
  ): PreparedRead<R>;
  /** Exists for the compiler only. */
  readonly '~row'?: R;
  /** Exists for the compiler only. */
  readonly '~customize'?: Customize;
}
