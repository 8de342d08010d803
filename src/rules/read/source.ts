/** The interface of a source, which adapters implement: reads the rows of a plan and counts them. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { DatabaseFamily } from '../declare/declaration.ts';
import type { OrderTerm, PlanValue, ResolvedPlan } from '../plan/plan.ts';
import type { StatementTimer } from './timings.ts';
import type { FieldKind, SchemaRegistry } from '../../schema/index.ts';

/** A presented row: plain JSON data. */
export type Row = { [field: string]: unknown };

/** The statements that `customize` changes: rows and count (`both`), rows (`data`) or count. */
export type CustomizeScope = 'both' | 'data' | 'count';

/** One statement of a request, as a developer reads it. */
export interface ExplainedStatement {
  /** The statement with placeholders; it has no value of a request. */
  readonly sql: string;
  /** The plan in the words of the database, for the values of the request, which it may repeat. */
  readonly plan: string;
}

/** Options of one read. `Customize` is the source's own hook type. */
export interface ReadOptions<Customize = unknown> {
  /** Changes the ORM's own query before it runs. Default: none. */
  readonly customize?: Customize | undefined;
  /** The statements that `customize` changes. Default `both`. */
  readonly customizeScope?: CustomizeScope | undefined;
  /**
   * Milliseconds after which the request fails with `QUERY_TIMEOUT` and its statements are ended on the server; `0` for
   * no limit. Default 30000. `better-sqlite3` has no interrupt: on SQLite the time is checked before and after each
   * statement. With Prisma, wrap the driver adapter in `cancelable`: otherwise the default limit does not end statements
   * on PostgreSQL, nor those of `findMany`.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Aborts the read: the call rejects with the reason of the signal, and statements are ended on the server as after
   * `timeoutMs`; with Prisma only where the driver adapter is wrapped in `cancelable`. Default: none.
   */
  readonly signal?: AbortSignal | undefined;
  /** Told when statements start and end, for `onTimings`. Default: none. */
  readonly timer?: StatementTimer | undefined;
  /** Receives each statement with the plan of the database, for `explain`. Default: none is explained. */
  readonly explained?: ExplainedStatement[] | undefined;
}

/** The rows of a page, presented. */
export interface PageRows<R = Row> {
  /** The presented rows, in order. */
  readonly rows: R[];
  /** Whether more rows follow the page. */
  readonly hasMore: boolean;
  /** The order terms of the first and last row as texts; only for keyset windows with rows. */
  readonly first?: readonly (string | null)[] | undefined;
  /** The order terms of the last row as texts; only for keyset windows with rows. */
  readonly last?: readonly (string | null)[] | undefined;
  /** Whether the page began before all texts with the beginnings of its position, because a row had another text. */
  readonly isRestarted?: boolean | undefined;
  /** The same texts of any row, for a source that merges several pages into one. */
  readonly place?: ((index: number) => readonly (string | null)[]) | undefined;
}

/** The rows of a page and the number of rows of all pages. */
export interface CountedRows<R = Row> {
  /** The rows of the page. */
  readonly page: PageRows<R>;
  /** Number of rows of all pages. */
  readonly total: number;
}

/** A plan compiled for one source, ready to run. */
export interface PreparedRead<R = Row> {
  /** Whether rows and count may run concurrently. */
  readonly concurrent: boolean;
  /** Identifies the predicate and its values: plans with equal keys have equal counts. */
  readonly countKey: string;
  /** Reads the rows of the page. */
  rows(): Promise<PageRows<R>>;
  /** Counts the rows of all pages, up to the cap of the plan. */
  count(): Promise<number>;
  /** Whether `together` takes one round trip. Default `false`. */
  readonly pairs?: boolean;
  /** Reads rows and count on one connection; called only if `pairs`. */
  together?(): Promise<CountedRows<R>>;
  /** Whether two connections are free, so that rows and count would not wait for one. Default `true`. */
  readonly hasTwoFree?: boolean;
  /**
   * Runs work that calls `rows` and `count`, so that both read the same of several servers, such as replicas. Default:
   * the source has one server, and the work is run directly.
   */
  readonly within?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

/** The description of a column by the ORM. */
export interface DescribedField {
  /** Every kind that the column can hold. */
  readonly kinds: ReadonlySet<FieldKind>;
  /** Whether the column may be null. */
  readonly nullable: boolean;
  /** Members of an enum, where the ORM knows them. */
  readonly enumValues?: readonly string[] | undefined;
}

/** The description of a relation by the ORM. */
export interface DescribedRelation {
  /** Name of the target model. */
  readonly target: string;
  /** Whether a row has at most one related row, or any number of them. */
  readonly cardinality: 'one' | 'many';
  /** Whether a `one` relation may be absent; `undefined` if the ORM does not define it. */
  readonly nullable: boolean | undefined;
}

/** The description of a model by the ORM; declared schemas are compared with it. */
export interface DescribedModel {
  /** Fields of the primary key, in key order. */
  readonly primaryKey: readonly string[];
  /** Fields by path. */
  readonly fields: ReadonlyMap<string, DescribedField>;
  /** Relations by path. */
  readonly relations: ReadonlyMap<string, DescribedRelation>;
}

/** Identifies one registry and one ORM schema, shared by all sources made from them. */
export interface SourceOrigin {
  /** The ORM's description of a model; `undefined` when it has no model of that name. */
  describe(model: string): DescribedModel | undefined;
}

/** Stands for the model of a source that knows its entity and not the name of its model. */
export interface ListedEntity<Entity, Hydrated extends boolean = boolean> {
  /** The entity of the rows. */
  readonly entity: Entity;
  /** Whether the rows are entities. */
  readonly isHydrated: Hydrated;
}

/**
 * A source of rows: an ORM's handle on one model. Made by `drizzleSource`, `typeormSource`, `prismaSource` or
 * `sqlSource`. `R` is the row type that the source knows, `Customize` its hook for `options.customize`, `Listed` the name
 * of its model, or a `ListedEntity`.
 */
export interface QuerySource<R = Row, Customize = unknown, Listed = unknown> {
  /** Name of the model whose rows the source reads. */
  readonly model: string;
  /** Database family of the connection. */
  readonly family: DatabaseFamily;
  /** Registry of the models that the source can reach. */
  readonly registry: SchemaRegistry;
  /** Describes the models for the source check; a source without it is not checked. */
  readonly origin?: SourceOrigin | undefined;
  /**
   * Refuses rules that the source cannot serve, for checks at boot. Default: `prepare` refuses them.
   *
   * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when it cannot
   */
  readonly assertRules?: ((rules: CompiledQueryRules) => void) | undefined;
  /**
   * Whether every statement of the source is limited to `plan.scopes`, for root rows and through every relation. Plans
   * with scopes do not run on other sources. Default `false`.
   */
  readonly servesScopes?: boolean | undefined;
  /**
   * Whether reads use nothing of `signal` but `aborted`, `reason`, `throwIfAborted` and the event `abort`. List endpoints
   * then pass an object with these members, which costs less than a signal for each request. Default `false`.
   */
  readonly usesBasicSignal?: boolean | undefined;
  /**
   * Checks and converts texts of cursors for an order term whose cursors contain stored values of another form than the
   * field's: because the ORM rewrites the column, or marked as values that no request can contain, such as `infinity`.
   * Default: cursors contain values of the field.
   */
  storedPosition?(
    term: OrderTerm,
    rules: CompiledQueryRules,
    isMarked: boolean,
  ): ((text: string) => PlanValue | undefined) | undefined;
  /** Compiles a plan for this source. Nothing runs before `rows` or `count` of the result is called. */
  prepare(
    plan: ResolvedPlan,
    rules: CompiledQueryRules,
    options: ReadOptions<Customize>,
  ): PreparedRead<R>;
  /** Carries the row type for the compiler; absent at run time. */
  readonly '~row'?: R;
  /** Carries the hook type for the compiler; absent at run time. */
  readonly '~customize'?: Customize;
  /** Carries the model for the compiler; absent at run time. */
  readonly '~listed'?: Listed;
}
