/** The parts of TypeORM's entity metadata that are used; the package does not export all of their types. */

import type { DataSource } from 'typeorm';

export type EntityMetadata = DataSource['entityMetadatas'][number];
export type ColumnMetadata = EntityMetadata['columns'][number];
export type RelationMetadata = EntityMetadata['relations'][number];
