/** The tables of one statement (or subquery): aliases, and `one` relations joined once each. */

import type { RelationDescriptor } from '../../schema/index.ts';
import type { LoweringContext, ModelContext } from './model-context.ts';
import { modelOf, relationOf } from './model-context.ts';
import { restrictionSql } from './restriction.ts';
import type { PhysicalHop, TableRef } from './physical.ts';
import { pairs, tableSql } from './sql-names.ts';
import type { Sql } from './sql-text.ts';

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

/** One joined table. */
export interface JoinPart {
  readonly kind: 'left' | 'inner';
  readonly table: TableRef;
  readonly alias: string;
  readonly on: Sql;
}

/** The joins as they follow a FROM clause. */
export function joinsSql(context: LoweringContext, joins: readonly JoinPart[]): Sql {
  return joins.flatMap(({ kind, table, alias, on }): Sql[] => [
    ` ${kind} join ${tableSql(context, table)} as ${context.dialect.quote(alias)} on `,
    on,
  ]);
}

/** One FROM clause and what is joined to it. */
export class Scope {
  readonly root: Place;
  readonly context: LoweringContext;
  readonly aliases: Aliases;
  readonly #joins: JoinPart[] = [];
  readonly #places = new Map<string, Place>();

  constructor(context: LoweringContext, root: Place, aliases: Aliases) {
    this.context = context;
    this.root = root;
    this.aliases = aliases;
  }

  /** Joins a table to an alias and gives its own. `model` is what the table's rows are, where they are a model's. */
  attach(from: string, hop: PhysicalHop, kind: JoinPart['kind'], model?: ModelContext): string {
    const alias = this.aliases.next();
    const { context } = this;
    const equal = pairs(context, from, hop.from, alias, hop.to);
    const restriction = model ? restrictionSql(context, model, alias) : null;
    const on: Sql = restriction ? [equal, ' and ', restriction] : equal;
    this.#joins.push({ kind, table: hop.table, alias, on });
    return alias;
  }

  /** The place at the end of a `one` relation from a place, left-joined on first use. */
  follow(from: Place, { path, nullable }: RelationDescriptor): Place {
    const key = `${from.alias}.${path}`;
    const known = this.#places.get(key);
    if (known) return known;
    const relation = relationOf(from.model, path);
    const target = modelOf(this.context, relation.target);
    let alias = from.alias;
    for (const [index, hop] of relation.hops.entries()) {
      const isLast = index === relation.hops.length - 1;
      alias = this.attach(alias, hop, 'left', isLast ? target : undefined);
    }
    const place: Place = {
      alias,
      model: target,
      // A row that is there but restricted away is as good as absent.
      optional:
        from.optional ||
        nullable ||
        (relation.hops.length > 0 && target.physical.restrictions !== undefined),
    };
    this.#places.set(key, place);
    return place;
  }

  /** What is joined to the FROM table. */
  get joins(): readonly JoinPart[] {
    return this.#joins;
  }
}
