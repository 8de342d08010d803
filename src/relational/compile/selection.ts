/** Compiles a projection tree to the select list of one statement and the reader of its rows. */

import type { ProjectionNode, ProjectionRelation } from '../../rules/index.ts';
import { columnNamed, columnOf, declaredRelation, keyNames, relationOf } from './model-context.ts';
import type { PhysicalColumn, PhysicalHop, PhysicalRelation, TableRef } from './physical.ts';
import { type ManyReader, type NodeReader, type OneReader, fieldReader } from '../read/reader.ts';
import type { SelectColumn } from './row-channel.ts';
import type { JoinedModel, Scope } from './scope.ts';
import { columnSql, valueSql } from './sql-names.ts';
import type { Sql } from './sql-text.ts';
import { aggregateColumn } from './values/aggregate-column.ts';
import { isUuidBytes } from './values/uuid-bytes.ts';

/** A `many` include, which has its own statement. */
export interface ChildRead {
  readonly relation: PhysicalRelation;
  readonly projection: ProjectionRelation;
  /** The table of the parent. */
  readonly parent: TableRef;
  /** Columns of the parent that the first hop joins on. */
  readonly keyColumns: readonly PhysicalColumn[];
  /** Whether these are the primary key of the parent. */
  readonly isByKey: boolean;
}

/** The select list of one statement. */
export class Selection {
  readonly columns: Sql[] = [];
  readonly children: ChildRead[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #scope: Scope;
  readonly #select: SelectColumn;

  /** `skipsRows` tells whether the statement skips rows before its page. */
  constructor(scope: Scope, skipsRows = false) {
    const { dialect, channel } = scope.context;
    this.#scope = scope;
    const select = channel?.select ?? dialect.select;
    const written = skipsRows ? (channel?.selectSkipping ?? select) : select;
    const { shownExpression } = dialect;
    this.#select = (sql, column) =>
      written(column.expression && shownExpression ? shownExpression(sql, column) : sql, column);
  }

  /** Index of a column of an alias, which is selected once. */
  column(alias: string, column: PhysicalColumn): number {
    return this.expression(columnSql(this.#scope.context, alias, column.name), column);
  }

  /** Index of a column that is already written as SQL. */
  expression(sql: string, column: PhysicalColumn): number {
    // A key is selected in its stored form, so a column with a codec may be selected twice.
    const selected = column.codec ? `${sql} coded` : sql;
    const known = this.#indexes.get(selected);
    if (known !== undefined) return known;
    const index = this.columns.push(this.#select(sql, column)) - 1;
    this.#indexes.set(selected, index);
    return index;
  }

  /** Index of an expression with parameters, of the column's type. */
  computed(sql: Sql, column: PhysicalColumn): number {
    return this.columns.push(this.#select(sql, column)) - 1;
  }

  /** Index of an order value that is already written as SQL, exact where the column itself would be rounded. */
  position(sql: string, column: PhysicalColumn, isKey: boolean): number {
    const { dialect, channel } = this.#scope.context;
    const isTyped = channel?.typedColumns ?? false;
    const exact = dialect.selectPosition?.(sql, column, isKey, isTyped);
    return exact === undefined ? this.expression(sql, column) : this.columns.push(exact) - 1;
  }

  /** Selects the fields and relations of a node and returns the reader of its objects. */
  node(joined: JoinedModel, projection: ProjectionNode): NodeReader {
    const fields = projection.fields.map((name) => {
      const column = columnOf(joined.model, name);
      const sql = valueSql(this.#scope.context, joined, column);
      return fieldReader(name, this.expression(sql, column), column);
    });
    for (const field of projection.aggregates ?? []) {
      const sql = this.#scope.context.aggregate(this.#scope, joined, field);
      const column = aggregateColumn(this.#scope.context, joined.model, field);
      fields.push(fieldReader(field.path, this.computed(sql, column), column));
    }
    const relations = projection.relations.map((relation) =>
      relation.cardinality === 'many' ? this.#many(joined, relation) : this.#one(joined, relation),
    );
    return { fields, relations };
  }

  #one(joined: JoinedModel, relation: ProjectionRelation): OneReader {
    const target = this.#scope.follow(joined, declaredRelation(joined.model, relation.path));
    const [key = ''] = target.model.schema.primaryKey;
    return {
      cardinality: 'one',
      name: relation.path,
      marker: this.column(target.alias, columnOf(target.model, key)),
      node: this.node(target, relation.node),
    };
  }

  #many(joined: JoinedModel, projection: ProjectionRelation): ManyReader {
    const relation = relationOf(joined.model, projection.path);
    const [first] = relation.hops as readonly [PhysicalHop, ...PhysicalHop[]];
    const { physical } = joined.model;
    const keyColumns = first.from.map((name) => keyColumn(physical, name));
    const key = keyNames(joined.model);
    const isByKey =
      key.length === first.from.length && key.every((name) => first.from.includes(name));
    const read = { relation, projection, parent: physical.table, keyColumns, isByKey };
    const child = this.children.push(read) - 1;
    return {
      cardinality: 'many',
      name: projection.path,
      child,
      keys: keyColumns.map((column) => this.column(joined.alias, column)),
    };
  }
}

/** A key column without its codec: joins compare stored values. */
function keyColumn(model: Parameters<typeof columnNamed>[0], name: string): PhysicalColumn {
  const column = columnNamed(model, name);
  const { kind = 'string', sqlType = 'text', numbersAsText } = column ?? {};
  const stored = column && isUuidBytes(column) ? 'binary' : kind;
  return { path: name, name, kind: stored, storage: 'native', sqlType, numbersAsText };
}
