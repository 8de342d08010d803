/**
 * The protected methods of TypeORM's select builder that are replaced on builders of entities, and the broadcaster that tells
 * of loaded ones, as 0.3.20 to 1.1 have them. A DataSource whose builders lack them is refused for entities, since rows could be taken for one another.
 */

import type { EntityMetadata, ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm';
import { configurationError } from '../../schema/index.ts';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/** A row by column name. */
export type RawRow = Record<string, unknown>;

interface Protected {
  createJoinExpression?(): string;
  /** Since 1.0. */
  createJoinTreeRecursively?(tree: {
    readonly children: [];
    readonly joinAttribute: object;
  }): string;
  loadRawResults(runner: QueryRunner): Promise<RawRow[]>;
}

/**
 * Checks the builders of a DataSource.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when one does not have the methods
 */
export function assertReplaceable(builder: object): void {
  const { createJoinExpression, loadRawResults } = builder as Partial<Protected>;
  if (createJoinExpression && loadRawResults) return;
  throw configurationError(
    'The rows of entities cannot be told apart with the installed version of TypeORM; use typeorm 0.3.20 to 1.1, or drop hydrate.',
    { option: 'hydrate' },
  );
}

/**
 * TypeORM 1 looks up the join that an alias belongs to in an object, which inherits names such as `toString`; before, it
 * writes each join by itself.
 */
export function joinOneByOne(builder: Builder): void {
  const joining = builder as unknown as Protected;
  if (!joining.createJoinTreeRecursively) return;
  joining.createJoinExpression = () =>
    builder.expressionMap.joinAttributes
      .map((joinAttribute) => joining.createJoinTreeRecursively?.({ children: [], joinAttribute }))
      .join(' ');
}

/** Changes the rows of which a builder creates entities. */
export function changeRows(builder: Builder, change: (rows: readonly RawRow[]) => void): void {
  const loading = builder as unknown as Protected;
  const load = loading.loadRawResults.bind(builder);
  loading.loadRawResults = async (runner) => {
    const rows = await load(runner);
    change(rows);
    return rows;
  };
}

/** Tells listeners and subscribers of entities that a builder without listeners has loaded. */
export const tellLoaded = (
  { broadcaster }: QueryRunner,
  metadata: EntityMetadata,
  entities: ObjectLiteral[],
): Promise<void> => broadcaster.broadcast('Load', metadata, entities);
