/** The results of a list endpoint, and how they are assembled from rows, counts and cursors. */

import { encodeCursor } from '../plan/cursor/cursor.ts';
import { cursorValues, positionValues } from '../plan/cursor/long-text.ts';
import type { CompiledQueryRules, DeclarationOf, TypesIn } from '../declare/compiled.ts';
import type { OrderTerm, PageWindow } from '../plan/plan.ts';
import type { CountOf, ModeOf, UnpaginatedIn } from '../typed/pagination.ts';
import type { ShownRow } from '../typed/shown-row.ts';
import type { ExplainedStatement, ListedEntity, PageRows, QuerySource, Row } from './source.ts';

/** Part of each result. */
interface Explained {
  /** The statements of the request, each with the plan of the database; only with the option `explain`. */
  readonly explained?: readonly ExplainedStatement[];
}

/**
 * An offset page. `page` counts from 1. `total` and `lastPage` are absent under count `none`, where `hasNextPage` is
 * present.
 */
export interface OffsetResult<R = Row> extends Explained {
  /** The rows of the page. */
  readonly data: R[];
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows that a page holds. */
  readonly perPage: number;
  /** Number of rows of all pages; absent where the endpoint does not count. */
  readonly total?: number;
  /** Number of the last page; absent where the endpoint does not count. */
  readonly lastPage?: number;
  /** `true` when `total` stopped at the cap. */
  readonly totalCapped?: true;
  /** Whether another page follows; only where the endpoint does not count all rows. */
  readonly hasNextPage?: boolean;
}

/** An offset page with its total. */
export interface CountedResult<R = Row> extends Explained {
  /** The rows of the page. */
  readonly data: R[];
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows that a page holds. */
  readonly perPage: number;
  /** Number of rows of all pages; with a cap, at most the cap. */
  readonly total: number;
  /** Number of the last page. */
  readonly lastPage: number;
}

/** An offset page whose total stops at a cap. */
export interface CappedResult<R = Row> extends CountedResult<R> {
  /** `true` when `total` stopped at the cap. */
  readonly totalCapped?: true;
}

/** An offset page under count `none`. */
export interface UncountedResult<R = Row> extends Explained {
  /** The rows of the page. */
  readonly data: R[];
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows that a page holds. */
  readonly perPage: number;
  /** Whether another page follows. */
  readonly hasNextPage: boolean;
}

/** The result of `paginate=false`: all rows. */
export interface UnpaginatedResult<R = Row> extends Explained {
  /** All rows. */
  readonly data: R[];
}

/** A keyset page. A cursor is `null` if its direction has no further page. */
export interface KeysetResult<R = Row> extends Explained {
  /** The rows of the page. */
  readonly data: R[];
  /** Rows that a page holds. */
  readonly perPage: number;
  /** Cursor of the next page; `null` on the last one. */
  readonly nextCursor: string | null;
  /** Cursor of the page before; `null` on the first one. */
  readonly prevCursor: string | null;
}

/** The offset pages that rules allow; `never` where they allow none. */
export type OffsetPage<R, Rules extends CompiledQueryRules> =
  Allows<'offset' | 'both', Rules> extends true
    ? OffsetPageOf<R, CountOf<DeclarationOf<Rules>>>
    : never;

/** The keyset pages that rules allow; `never` where they allow none. */
export type KeysetPage<R, Rules extends CompiledQueryRules> =
  Allows<'keyset' | 'both', Rules> extends true ? KeysetResult<R> : never;

/** The result of `paginate=false`; `never` where the rules do not allow it. */
export type WholeList<R, Rules extends CompiledQueryRules> =
  true extends UnpaginatedIn<DeclarationOf<Rules>, TypesIn<Rules>> ? UnpaginatedResult<R> : never;

type Allows<Modes, Rules> = [Extract<ModeOf<DeclarationOf<Rules>>, Modes>] extends [never]
  ? false
  : true;

type OffsetPageOf<R, Count> = [Count] extends ['exact']
  ? CountedResult<R>
  : [Count] extends ['none']
    ? UncountedResult<R>
    : [Count] extends ['exact' | 'capped']
      ? CappedResult<R>
      : OffsetResult<R>;

/**
 * The result of a list endpoint; its form depends on how the request is paginated. With the type of the rules it has
 * only the forms that they allow: `ListResult<User, typeof rules>` has a `total` where every page is counted.
 */
export type ListResult<R = Row, Rules extends CompiledQueryRules = CompiledQueryRules> =
  | OffsetPage<R, Rules>
  | KeysetPage<R, Rules>
  | WholeList<R, Rules>;

/**
 * The result of `runQuery(source, request, rules)`: `ResultOf<typeof source, typeof rules>`. A row of it is
 * `ResultOf<...>['data'][number]`.
 */
export type ResultOf<Source, Rules extends CompiledQueryRules> =
  Source extends QuerySource<infer R, infer _Customize, infer Listed>
    ?
        | OffsetPage<RowIn<R, Listed, Rules>, Rules>
        | KeysetPage<RowIn<R, Listed, Rules>, Rules>
        | WholeList<RowIn<R, Listed, Rules>, Rules>
    : never;

/** A row of a source under rules: the fields that they can show. Entities are complete objects, with their methods. */
export type RowIn<R, Listed, Rules extends CompiledQueryRules> =
  Listed extends ListedEntity<unknown, infer Hydrated>
    ? [Hydrated] extends [true]
      ? R
      : ShownRow<R, DeclarationOf<Rules>, TypesIn<Rules>>
    : ShownRow<R, DeclarationOf<Rules>, TypesIn<Rules>>;

/** A keyset page with the cursors of its neighbours. */
export function keysetResult<R>(
  rules: CompiledQueryRules,
  order: readonly OrderTerm[],
  window: Extract<PageWindow, { mode: 'keyset' }>,
  page: PageRows<R>,
): KeysetResult<R> {
  const { position, perPage, binding } = window;
  const backwards = position?.direction === 'before';
  const hasNext = backwards || page.hasMore;
  const hasPrev = backwards ? page.hasMore : position !== null;
  const { first, last } = page;
  if (!first || !last) {
    // The page is empty, so the page in the opposite direction begins at the position itself.
    const back =
      position &&
      encodeCursor(
        rules,
        binding,
        backwards ? 'after' : 'before',
        !position.inclusive,
        positionValues(rules, order, position),
      );
    return {
      data: page.rows,
      perPage,
      nextCursor: backwards ? back : null,
      prevCursor: backwards ? null : back,
    };
  }
  const cursor = (direction: 'after' | 'before', values: readonly (string | null)[]) =>
    encodeCursor(
      rules,
      binding,
      direction,
      false,
      cursorValues(rules, order, values, position, page.isRestarted),
    );
  return {
    data: page.rows,
    perPage,
    nextCursor: hasNext ? cursor('after', last) : null,
    prevCursor: hasPrev ? cursor('before', first) : null,
  };
}

/** The last page of a total; at least 1. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

const key = '$truncated';

/** Marks that the row shows only the first rows of a relation. A `$` begins no path, so that no field has the name. */
export function markTruncated(row: object, relation: string): void {
  Reflect.set(row, key, [...truncatedIn(row), relation]);
}

/**
 * The included relations of a row that have more rows than the row shows, which is `maxChildren` of them. JSON has their
 * names as `$truncated`, a list that is absent where nothing is cut.
 *
 * @param row a row of an answer, or a row within an included relation
 */
export function truncatedIn(row: object): readonly string[] {
  const names: unknown = Reflect.get(row, key);
  return Array.isArray(names) ? (names as string[]) : [];
}
