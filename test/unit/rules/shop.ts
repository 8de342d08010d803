/** A small shop that the tests of the request grammar are written against. */

import { defineSchemaRegistry } from '../../../src/index.ts';
import type { FieldDescriptor, FieldKind } from '../../../src/index.ts';

function field(
  path: string,
  kind: FieldKind,
  more: Partial<FieldDescriptor> = {},
): FieldDescriptor {
  return { path, kind, nullable: false, primaryKey: false, ...more };
}

const id = field('id', 'integer', { primaryKey: true });
const folded = (path: string): FieldDescriptor => field(path, 'string', { internal: true });

/** Articles of makers, with labels. */
export const shopRegistry = defineSchemaRegistry([
  {
    model: 'article',
    primaryKey: ['id'],
    fields: [
      id,
      field('name', 'string', { foldedField: 'nameFolded' }),
      folded('nameFolded'),
      field('code', 'uuid'),
      field('state', 'enum', { enumValues: ['new', 'used', 'a,b"c\\d'] }),
      field('stock', 'integer', { nullable: true }),
      field('serial', 'bigint'),
      field('price', 'decimal'),
      field('sold', 'boolean'),
      field('day', 'date'),
      field('changedAt', 'datetime', { nullable: true }),
      field('extra', 'json', { nullable: true }),
    ],
    relations: [
      { path: 'maker', target: 'maker', cardinality: 'one', nullable: true },
      { path: 'labels', target: 'label', cardinality: 'many', nullable: false },
    ],
  },
  {
    model: 'maker',
    primaryKey: ['id'],
    fields: [id, field('name', 'string', { foldedField: 'nameFolded' }), folded('nameFolded')],
    relations: [{ path: 'articles', target: 'article', cardinality: 'many', nullable: false }],
  },
  { model: 'label', primaryKey: ['id'], fields: [id, field('text', 'string')], relations: [] },
]);
