/** The tables of one statement (or subquery): aliases, and `one` relations joined once each. */

import type { LoweringContext, ModelContext } from './model-context.ts';
import { modelOf, relationOf } from './model-context.ts';
import type { PhysicalHop, TableRef } from './physical.ts';
import { type Sql, join } from './sql-text.ts';

/** Hands out aliases that are unique in a statement. */
export class Aliases {
  #next = 0;
  readonly #taken: string;

  /** `taken` is the root's alias, which is its table's own name. */
  constructor(taken: string) {
    this.#taken = taken;
  }

  next(): string {
    this.#next += 1;
    const alias = `t${this.#next}`;
    return alias === this.#taken ? this.next() : alias;
  }
}

/** A model within a statement, by its alias. */
export interface Place {
  readonly alias: string;
  readonly model: ModelContext;
  /** Whether a `one` relation on the way may be absent. */
  readonly optional: boolean;
}

/** Quoted table name. */
export function tableSql(context: LoweringContext, table: TableRef): string {
  const { quote } = context.dialect;
  return table.schema ? `${quote(table.schema)}.${quote(table.name)}` : quote(table.name);
}

/** Quoted column of an alias. */
export function columnSql(context: LoweringContext, alias: string, column: string): string {
  return `${context.dialect.quote(alias)}.${context.dialect.quote(column)}`;
}

/** Pairs of equal columns. */
export function pairs(
  context: LoweringContext,
  leftAlias: string,
  left: readonly string[],
  rightAlias: string,
  right: readonly string[],
): Sql {
  const equalities = left.map(
    (column, index) =>
      `${columnSql(context, rightAlias, right[index] ?? '')} = ${columnSql(context, leftAlias, column)}`,
  );
  return join(equalities, ' and ');
}

/** One FROM clause and what is joined to it. */
export class Scope {
  readonly root: Place;
  readonly context: LoweringContext;
  readonly aliases: Aliases;
  readonly #joins: Sql[] = [];
  readonly #places = new Map<string, Place>();

  constructor(context: LoweringContext, root: Place, aliases: Aliases) {
    this.context = context;
    this.root = root;
    this.aliases = aliases;
  }

  /** Joins a table to an alias and gives its own. */
  attach(from: string, hop: PhysicalHop, kind: 'left' | 'inner'): string {
    const alias = this.aliases.next();
    const { context } = this;
    this.#joins.push(
      ` ${kind} join ${tableSql(context, hop.table)} as ${context.dialect.quote(alias)} on `,
      pairs(context, from, hop.from, alias, hop.to),
    );
    return alias;
  }

  /** The place at the end of `one` relations from a place, left-joined on first use. */
  follow(from: Place, path: string): Place {
    const key = `${from.alias}.${path}`;
    const known = this.#places.get(key);
    if (known) return known;
    const relation = relationOf(from.model, path);
    let alias = from.alias;
    for (const hop of relation.hops) alias = this.attach(alias, hop, 'left');
    const descriptor = from.model.schema.relations.find((candidate) => candidate.path === path);
    const place: Place = {
      alias,
      model: modelOf(this.context, relation.target),
      optional: from.optional || descriptor?.nullable !== false,
    };
    this.#places.set(key, place);
    return place;
  }

  /** What follows the FROM table. */
  get joins(): readonly Sql[] {
    return this.#joins;
  }
}
