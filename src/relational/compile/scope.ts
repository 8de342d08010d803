/** The tables of one statement or subquery: aliases, and each `one` relation joined once. */

import type { RelationDescriptor } from '../../schema/index.ts';
import type { LoweringContext, ModelContext } from './model-context.ts';
import { modelOf, relationOf } from './model-context.ts';
import { restrictionSql } from './restriction.ts';
import type { PhysicalHop, TableRef } from './physical.ts';
import { pairs, tableSql } from './sql-names.ts';
import type { Sql } from './sql-text.ts';

/** Generates aliases that are unique in a statement. */
export class Aliases {
  #next = 0;
  readonly #taken: string;

  /** `taken` is the root's alias: the name of its table. */
  constructor(taken: string) {
    this.#taken = taken;
  }

  next(): string {
    this.#next += 1;
    const alias = `t${this.#next}`;
    return alias === this.#taken ? this.next() : alias;
  }
}

/** A model in a statement, with its table alias. */
export interface JoinedModel {
  readonly alias: string;
  readonly model: ModelContext;
  /** Whether a `one` relation on the path to the model may be absent. */
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

/** One FROM clause with its joins. */
export class Scope {
  readonly root: JoinedModel;
  readonly context: LoweringContext;
  readonly aliases: Aliases;
  readonly #joins: JoinPart[] = [];
  readonly #joined = new Map<string, JoinedModel>();

  constructor(context: LoweringContext, root: JoinedModel, aliases: Aliases) {
    this.context = context;
    this.root = root;
    this.aliases = aliases;
  }

  /**
   * Joins a table to an alias and returns the new alias. `model` is given where the table's rows are rows of a model.
   */
  attach(from: string, hop: PhysicalHop, kind: JoinPart['kind'], model?: ModelContext): string {
    const alias = this.aliases.next();
    const { context } = this;
    const equal = pairs(context, from, hop.from, alias, hop.to);
    const restriction = model ? restrictionSql(context, model, alias) : null;
    const on: Sql = restriction ? [equal, ' and ', restriction] : equal;
    this.#joins.push({ kind, table: hop.table, alias, on });
    return alias;
  }

  /** The model at the end of a `one` relation, left-joined on first use. */
  follow(from: JoinedModel, { path, nullable }: RelationDescriptor): JoinedModel {
    const key = `${from.alias}.${path}`;
    const known = this.#joined.get(key);
    if (known) return known;
    const relation = relationOf(from.model, path);
    const target = modelOf(this.context, relation.target);
    let alias = from.alias;
    for (const [index, hop] of relation.hops.entries()) {
      const isLast = index === relation.hops.length - 1;
      alias = this.attach(alias, hop, 'left', isLast ? target : undefined);
    }
    const joined: JoinedModel = {
      alias,
      model: target,
      // A join may find no row even if the schema says otherwise: relations without a foreign key have orphans.
      optional: from.optional || nullable || relation.hops.length > 0,
    };
    this.#joined.set(key, joined);
    return joined;
  }

  /** The joins of the FROM table, in order. */
  get joins(): readonly JoinPart[] {
    return this.#joins;
  }
}
