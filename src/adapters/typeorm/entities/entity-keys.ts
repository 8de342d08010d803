/**
 * Keeps entities apart whose keys TypeORM does not. It identifies the rows of an entity by the parts of their key, joined
 * with underscores, so that it takes ('a_b', 'c') and ('a', 'b_c') for one entity, and an empty key for an absent one.
 */

import { createHash } from 'node:crypto';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { type RawRow, changeRows } from '../foreign.ts';
import type { EntityMetadata } from '../describe/metadata-types.ts';

type Builder = SelectQueryBuilder<ObjectLiteral>;
type Alias = NonNullable<Builder['expressionMap']['mainAlias']>;

/** A part of the key that the rows have in addition to their columns. */
const added = 'sluice_key';

/** Adds a part to the keys of a builder's rows where they need one. */
export function separateKeys(builder: Builder): void {
  changeRows(builder, (rows) => {
    const { mainAlias, joinAttributes } = builder.expressionMap;
    for (const alias of [mainAlias, ...joinAttributes.map((join) => join.alias)]) {
      if (alias?.hasMetadata) separate(alias, rows, builder);
    }
  });
}

function separate(alias: Alias, rows: readonly RawRow[], builder: Builder): void {
  const columns = alias.metadata.primaryColumns;
  const { maxAliasLength } = builder.connection.driver;
  const nameOf = (column: string) => rawName(alias.name, column, maxAliasLength);
  const names = columns.map(({ databaseName }) => nameOf(databaseName));
  // Keys of one part differ unless one is empty.
  if (columns.length < 2 && rows.every((row) => row[names[0] ?? ''] !== '')) return;
  const own = nameOf(added);
  for (const row of rows) {
    const parts = names.map((name) => row[name]);
    row[own] = parts.every(isPlain) ? '' : JSON.stringify(parts);
  }
  alias.metadata = withPart(alias.metadata);
}

const isPlain = (part: unknown): boolean =>
  typeof part !== 'string' || (part !== '' && !part.includes('_'));

/** The name of a column in a row: TypeORM hashes those that are too long for the database. */
function rawName(alias: string, column: string, longest = 0): string {
  const name = `${alias}_${column}`;
  if (longest === 0 || name.length <= longest) return name;
  return createHash('sha1').update(name).digest('hex').slice(0, longest);
}

const extended = new WeakMap<EntityMetadata, EntityMetadata>();

/** The metadata of an entity with the added part of its key, which that of a kept statement has already. */
function withPart(metadata: EntityMetadata): EntityMetadata {
  const known = extended.get(metadata);
  if (known) return known;
  const value = [...metadata.primaryColumns, { databaseName: added, isVirtual: true }];
  const made = Object.create(metadata, { primaryColumns: { value } }) as EntityMetadata;
  extended.set(metadata, made);
  extended.set(made, made);
  return made;
}
