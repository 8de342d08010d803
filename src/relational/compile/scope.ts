/**
 * The tables of one statement or subquery: aliases, and each `one` relation joined once. Not to be confused with the
 * scopes of models, which are conditions.
 */

import type { AggregateField, ProjectionRelation, ResolvedPlan } from '../../rules/index.ts';
import { type RelationDescriptor, configurationError } from '../../schema/index.ts';
import type { ExistentialForm } from './dialect.ts';
import type { LoweringContext, ModelContext } from './model-context.ts';
import { modelOf, relationOf } from './model-context.ts';
import type { PhysicalHop, PhysicalRelation, TableRef } from './physical.ts';
import { pairs, tableSql } from './sql-names.ts';
import type { Sql } from './sql-text.ts';

/** Generates aliases that are unique in a statement. */
export class Aliases {
  #next = 0;
  readonly #taken: string;

  /** `taken` is the root's alias: the name of its table, of which some databases do not tell the case. */
  constructor(taken: string) {
    this.#taken = taken.toLowerCase();
  }

  next(): string {
    this.#next += 1;
    const alias = `t${this.#next}`;
    return alias === this.#taken ? this.next() : alias;
  }
}

/** The inputs of the compiler for one plan. */
export interface PlanContext extends LoweringContext {
  /** The scopes of the plan; `undefined` where it has none. */
  readonly scopes: ResolvedPlan['scopes'];
  /** The index of the first value of the condition on the children of each included relation. */
  readonly childrenFrom: ReadonlyMap<ProjectionRelation, number>;
  /**
   * Whether the plan has more subqueries than the family's planner can order as joins in bounded time, so that they are
   * written in a form that is never joined.
   */
  readonly keepsApart: boolean;
  /** The form of subqueries that stand alone. */
  readonly apartForm: ExistentialForm;
  /** The condition of every row of a joined model, in the condition of its join or in a WHERE clause. */
  readonly rowCondition: (scope: Scope, joined: JoinedModel, place: 'where' | 'on') => Sql | null;
  /** Whether each row has its row of the relation's target, and the statement reads it. */
  readonly isSure: (relation: PhysicalRelation, target: Omit<JoinedModel, 'alias'>) => boolean;
  /** Whether a relation finds at most one row for each. */
  readonly joinsOneRow: (relation: PhysicalRelation) => boolean;
  /** The condition of a join with the first row of a relation that may find several. */
  readonly firstRow: (
    scope: Scope,
    from: string,
    relation: PhysicalRelation,
    target: JoinedModel,
  ) => Sql;
  /** A value over the rows of a relation of a joined model. */
  readonly aggregate: (scope: Scope, joined: JoinedModel, field: AggregateField) => Sql;
}

/** A model in a statement, with its table alias. */
export interface JoinedModel {
  readonly alias: string;
  readonly model: ModelContext;
  /** Whether a `one` relation on the path to the model may be absent. */
  readonly optional: boolean;
  /** Whether the model is part of a scope's own path, whose relations are not scoped again. Default `false`. */
  readonly unscoped?: boolean | undefined;
  /** The range of the model's key, on the column of a hop's table that has the same value. Default: none. */
  readonly range?: ((hop: PhysicalHop, alias: string) => Sql | undefined) | undefined;
}

/**
 * Whether an index alone tells that a relation has a row: the database has one for each foreign key, and the statement reads
 * all rows that the key leads to.
 */
export function isIndexed(context: PlanContext, joined: JoinedModel, path: string): boolean {
  const { hops, target } = relationOf(joined.model, path);
  const [hop, ...more] = hops;
  if (!hop || more.length > 0 || !context.dialect.indexesForeignKeys) return false;
  const model = modelOf(context, target);
  const rows = { model, optional: false, unscoped: joined.unscoped };
  return [...model.physical.relations.values()].some(
    (back) => back.hops[0]?.from.join() === hop.to.join() && context.isSure(back, rows),
  );
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
  readonly context: PlanContext;
  readonly aliases: Aliases;
  readonly #joins: JoinPart[] = [];
  readonly #joined = new Map<string, JoinedModel>();

  constructor(context: PlanContext, root: JoinedModel, aliases: Aliases) {
    this.context = context;
    this.root = root;
    this.aliases = aliases;
  }

  /**
   * Joins a table to an alias and returns the new alias. `target` is given where the table's rows are rows of a model.
   */
  attach(
    from: string,
    hop: PhysicalHop,
    kind: JoinPart['kind'],
    target?: Omit<JoinedModel, 'alias'>,
  ): string {
    const alias = this.aliases.next();
    const { context } = this;
    const equal = pairs(context, from, hop.from, alias, hop.to);
    const condition = target ? context.rowCondition(this, { ...target, alias }, 'on') : null;
    const on: Sql = condition ? [equal, ' and ', condition] : equal;
    this.#joins.push({ kind, table: hop.table, alias, on });
    return alias;
  }

  /**
   * The model at the end of a `one` relation, joined on first use: by a left join, unless `kind` is `inner` and each row is
   * known to have one. `required` makes it an inner join, because no row without one meets the conditions.
   */
  follow(
    from: JoinedModel,
    { path, nullable }: RelationDescriptor,
    kind: JoinPart['kind'] | 'required' = 'left',
  ): JoinedModel {
    const { unscoped = false } = from;
    const key = `${from.alias}.${path}${unscoped ? ' unscoped' : ''}`;
    const known = this.#joined.get(key);
    if (known) {
      if (kind === 'required') this.#require(known.alias);
      return known;
    }
    const relation = relationOf(from.model, path);
    if (relation.hops.length === 0 && !unscoped && this.context.scopes?.[relation.target]) {
      const { model } = from.model.schema;
      throw configurationError(
        `settings.scopes.${relation.target}: ${model}.${path} is stored in the row of ${model}, whose scope decides about it; write 'unscoped' for ${relation.target}.`,
        { setting: 'scopes', model: relation.target, path },
      );
    }
    const model = modelOf(this.context, relation.target);
    const target = { model, optional: from.optional || nullable, unscoped };
    const isSure = this.context.isSure(relation, target);
    // A join may find no row even if the schema says otherwise: relations without a foreign key have orphans.
    if (relation.hops.length > 0 && !isSure) target.optional = true;
    let alias = from.alias;
    const [hop] = relation.hops;
    if (hop) {
      alias = this.context.joinsOneRow(relation)
        ? this.attach(alias, hop, isSure && kind === 'inner' ? kind : 'left', target)
        : this.#attachFirst(alias, relation, target);
      if (kind === 'required') this.#require(alias);
    }
    const joined: JoinedModel = { ...target, alias };
    this.#joined.set(key, joined);
    return joined;
  }

  #require(alias: string): void {
    const at = this.#joins.findIndex((part) => part.alias === alias);
    const part = this.#joins[at];
    if (part) this.#joins[at] = { ...part, kind: 'inner' };
  }

  #attachFirst(
    from: string,
    relation: PhysicalRelation,
    target: Omit<JoinedModel, 'alias'>,
  ): string {
    const alias = this.aliases.next();
    const on = this.context.firstRow(this, from, relation, { ...target, alias });
    this.#joins.push({ kind: 'left', table: target.model.physical.table, alias, on });
    return alias;
  }

  /** The joins of the FROM table, in order. */
  get joins(): readonly JoinPart[] {
    return this.#joins;
  }
}
