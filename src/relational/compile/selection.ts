/** A projection tree to the columns of one statement, and the reader of its rows. */

import type { ProjectionNode, ProjectionRelation } from '../../rules/index.ts';
import { columnNamed, columnOf, declaredRelation, relationOf } from './model-context.ts';
import type { PhysicalColumn, PhysicalHop, PhysicalRelation } from './physical.ts';
import {
  type ManyReader,
  type NodeReader,
  type OneReader,
  fieldPresenter,
} from '../read/reader.ts';
import type { SelectColumn } from './row-channel.ts';
import type { Place, Scope } from './scope.ts';
import { columnSql } from './sql-names.ts';
import type { Sql } from './sql-text.ts';

/** A `many` include that its own statement reads. */
export interface ChildRead {
  readonly relation: PhysicalRelation;
  readonly projection: ProjectionRelation;
  /** Columns of the parent that the first hop joins on. */
  readonly keyColumns: readonly PhysicalColumn[];
}

/** The select list of one statement. */
export class Selection {
  readonly columns: Sql[] = [];
  readonly children: ChildRead[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #scope: Scope;
  readonly #select: SelectColumn;

  /** `skipsRows` says whether the statement leaves out rows before its page. */
  constructor(scope: Scope, skipsRows = false) {
    const { dialect, channel } = scope.context;
    this.#scope = scope;
    const select = channel?.select ?? dialect.select;
    this.#select = skipsRows ? (channel?.selectSkipping ?? select) : select;
  }

  /** Index of a column of an alias, selected once. */
  column(alias: string, column: PhysicalColumn): number {
    return this.expression(columnSql(this.#scope.context, alias, column.name), column);
  }

  /** Index of a column already written as SQL. */
  expression(sql: string, column: PhysicalColumn): number {
    // A key is selected as it is stored, the same column for a codec in the codec's own form.
    const selected = column.codec ? `${sql} coded` : sql;
    const known = this.#indexes.get(selected);
    if (known !== undefined) return known;
    const index = this.columns.push(this.#select(sql, column)) - 1;
    this.#indexes.set(selected, index);
    return index;
  }

  /** Selects what a node shows and says how to read it. */
  node(place: Place, projection: ProjectionNode): NodeReader {
    const fields = projection.fields.map((name) => {
      const column = columnOf(place.model, name);
      return { name, index: this.column(place.alias, column), present: fieldPresenter(column) };
    });
    const relations = projection.relations.map((relation) =>
      relation.cardinality === 'many' ? this.#many(place, relation) : this.#one(place, relation),
    );
    return { fields, relations };
  }

  #one(place: Place, relation: ProjectionRelation): OneReader {
    const target = this.#scope.follow(place, declaredRelation(place.model, relation.path));
    const [key = ''] = target.model.schema.primaryKey;
    return {
      cardinality: 'one',
      name: relation.path,
      marker: this.column(target.alias, columnOf(target.model, key)),
      node: this.node(target, relation.node),
    };
  }

  #many(place: Place, projection: ProjectionRelation): ManyReader {
    const relation = relationOf(place.model, projection.path);
    const [first] = relation.hops as readonly [PhysicalHop, ...PhysicalHop[]];
    const keyColumns = first.from.map((name) => keyColumn(place.model.physical, name));
    const child = this.children.push({ relation, projection, keyColumns }) - 1;
    return {
      cardinality: 'many',
      name: projection.path,
      child,
      keys: keyColumns.map((column) => this.column(place.alias, column)),
    };
  }
}

/** A key column as it is stored: what stands between field and column has no part in a join. */
function keyColumn(model: Parameters<typeof columnNamed>[0], name: string): PhysicalColumn {
  const { kind = 'string', sqlType = 'text' } = columnNamed(model, name) ?? {};
  return { path: name, name, kind, storage: 'native', sqlType };
}
