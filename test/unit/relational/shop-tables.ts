/** Where the shop of these tests lives: tables, columns and joins, with names that differ from the paths. */

import type {
  Dialect,
  LoweringContext,
  PhysicalColumn,
  PhysicalHop,
  PhysicalModel,
  PhysicalRelation,
  StorageForm,
} from '../../../src/relational/index.ts';
import { cursorKeys } from '../../cursor-keys.ts';
import { defineQueryRules, defineSchemaRegistry } from '../../../src/index.ts';
import type {
  CompiledQueryRules,
  FieldDescriptor,
  FieldKind,
  ModelScopes,
  PaginationRule,
  SchemaRegistry,
} from '../../../src/index.ts';

const field = (
  path: string,
  kind: FieldKind,
  more: Partial<FieldDescriptor> = {},
): FieldDescriptor => ({ path, kind, nullable: false, primaryKey: false, ...more });
const id = field('id', 'integer', { primaryKey: true });
const hidden = (path: string) => field(path, 'string', { internal: true });

export const registry: SchemaRegistry = defineSchemaRegistry([
  {
    model: 'article',
    primaryKey: ['id'],
    fields: [
      id,
      field('name', 'string', { foldedField: 'nameFolded' }),
      hidden('nameFolded'),
      field('code', 'uuid', { portableOrderField: 'codeOrder' }),
      hidden('codeOrder'),
      field('state', 'enum', { enumValues: ['new', 'used'] }),
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
      { path: 'lines', target: 'line', cardinality: 'many', nullable: false },
    ],
  },
  {
    model: 'maker',
    primaryKey: ['id'],
    fields: [id, field('name', 'string', { foldedField: 'nameFolded' }), hidden('nameFolded')],
    relations: [{ path: 'articles', target: 'article', cardinality: 'many', nullable: false }],
  },
  { model: 'label', primaryKey: ['id'], fields: [id, field('text', 'string')], relations: [] },
  {
    model: 'line',
    primaryKey: ['order', 'position'],
    fields: [
      field('order', 'integer', { primaryKey: true }),
      field('position', 'integer', { primaryKey: true }),
      field('amount', 'integer'),
    ],
    relations: [{ path: 'parts', target: 'part', cardinality: 'many', nullable: false }],
  },
  { model: 'part', primaryKey: ['id'], fields: [id, field('text', 'string')], relations: [] },
]);

const types: Readonly<Partial<Record<FieldKind, string>>> = {
  string: 'text',
  uuid: 'uuid',
  enum: 'article_state',
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric(10, 2)',
  float: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamp with time zone',
  json: 'jsonb',
  binary: 'bytea',
  opaque: 'integer[]',
};

/** Column names of the paths that are not their own. */
const columnNames: Readonly<Record<string, string>> = {
  nameFolded: 'name_folded',
  codeOrder: 'code_order',
  changedAt: 'changed_at',
};

interface Naming {
  readonly schema?: string;
  /** Changes every table and column name. */
  readonly rename: (name: string) => string;
  readonly storage: Partial<Record<FieldKind, StorageForm>>;
}

const plain: Naming = { rename: (name) => name, storage: {} };

/** The shop in a dialect. */
export function shopContext(dialect: Dialect, naming: Partial<Naming> = {}): LoweringContext {
  const { schema, rename, storage } = { ...plain, ...naming };
  const table = (name: string) => ({ name: rename(name), schema });
  const hop = (name: string, from: readonly string[], to: readonly string[]): PhysicalHop => ({
    table: table(name),
    from: from.map(rename),
    to: to.map(rename),
  });
  const relations: Readonly<Record<string, Readonly<Record<string, readonly PhysicalHop[]>>>> = {
    article: {
      maker: [hop('makers', ['maker_id'], ['id'])],
      labels: [hop('article_labels', ['id'], ['article_id']), hop('labels', ['label_id'], ['id'])],
      lines: [hop('lines', ['id'], ['article_id'])],
    },
    maker: { articles: [hop('articles', ['id'], ['maker_id'])] },
    line: { parts: [hop('parts', ['order', 'position'], ['line_order', 'line_position'])] },
  };
  const physical = new Map<string, PhysicalModel>();
  for (const { model, fields, relations: declared } of registry.values()) {
    const columns = fields.map(({ path, kind }): [string, PhysicalColumn] => [
      path,
      {
        path,
        name: rename(columnNames[path] ?? path),
        kind,
        storage: storage[kind] ?? 'native',
        sqlType: types[kind] ?? 'text',
      },
    ]);
    const joins = declared.map(({ path, target, cardinality }): [string, PhysicalRelation] => [
      path,
      { path, target, cardinality, hops: relations[model]?.[path] ?? [] },
    ]);
    physical.set(model, {
      model,
      table: table(`${model}s`),
      columns: new Map(columns),
      relations: new Map(joins),
    });
  }
  return { dialect, registry, physical };
}

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const order = ['gt', 'gte', 'lt', 'lte', 'between'] as const;
const text = ['like', 'notLike', 'ilike', 'notIlike'] as const;

/** Rules that allow whatever these tests ask. */
export function shopRules(
  pagination: PaginationRule = {},
  scopes?: ModelScopes,
): CompiledQueryRules {
  return defineQueryRules(
    registry,
    'article',
    {
      filters: [
        { path: 'name', operators: [...equality, ...order, ...text] },
        { path: 'code', operators: [...equality, ...order, 'like'] },
        { path: 'state', operators: [...equality, 'like'] },
        { path: 'stock', operators: [...equality, ...order, 'isNull'] },
        { path: 'serial', operators: [...equality, ...order] },
        { path: 'price', operators: [...equality, ...order] },
        { path: 'sold', operators: equality },
        { path: 'day', operators: [...equality, ...order] },
        { path: 'changedAt', operators: [...equality, ...order, 'isNull'] },
        { path: 'maker', operators: ['isNull'] },
        { path: 'maker.name', operators: ['eq', 'ilike', 'notLike'] },
        { path: 'labels', operators: ['isNull'] },
        { path: 'labels.text', operators: ['eq', 'in', 'notLike'] },
        { path: 'lines.amount', operators: ['gte'] },
        { path: 'maker.articles.labels.text', operators: ['eq'] },
        { path: 'lines.parts.text', operators: ['like'] },
      ],
      sorts: [
        'name',
        'code',
        'price',
        'serial',
        'changedAt',
        { path: 'stock', nulls: 'last' },
        'maker.name',
      ],
      fields: {
        root: {
          allowed: ['id', 'name', 'code', 'stock', 'serial', 'price', 'changedAt', 'extra'],
          default: ['id', 'name'],
        },
        relations: {
          maker: { allowed: ['maker.*'], default: ['name'] },
          'maker.articles': { allowed: ['name'], default: ['name'] },
          labels: { allowed: ['text'], default: ['text'] },
          lines: { allowed: ['amount'], default: ['amount'] },
          'lines.parts': { allowed: ['text'], default: ['text'] },
        },
      },
      includes: ['maker', 'maker.articles', 'labels', 'lines', 'lines.parts'],
      search: ['name', 'maker.name'],
      pagination,
    },
    { cursorKeys, ...(scopes && { scopes }) },
  );
}
