/** Compiles the statement that reads one `many` include for all parents of a page. */

import {
  ChildStatements,
  type ChildForm,
  type ParentColumns,
  keyedColumns,
} from './child-statements.ts';
import { modelOf } from './model-context.ts';
import { exceedsSemijoins } from './page/subquery-count.ts';
import type { ProjectionRelation } from '../../rules/index.ts';
import type { PhysicalHop } from './physical.ts';
import type { NodeReader } from '../read/reader.ts';
import { Aliases, type PlanContext, Scope } from './scope.ts';
import { type ChildRead, Selection } from './selection.ts';
import { type StatementText, render } from './sql-text.ts';

/** A statement for each number of keys. */
export interface ChildStatement {
  readonly statement: (keyCount: number) => StatementText;
  readonly parent: ParentColumns;
}

/** A compiled include with its nested includes. */
export interface CompiledChild extends ChildStatement {
  /** Largest number of keys of one statement; more keys take several statements. */
  readonly maxKeys: number;
  readonly keyLength: number;
  /** The same rows with the keys of the parents, where `statement` has those of the rows. */
  readonly matched: ChildStatement | null;
  /** The limit for each parent: the statement reads one row more, which tells that rows follow. */
  readonly maxChildren: number | undefined;
  readonly node: NodeReader;
  readonly children: readonly CompiledChild[];
}

/** Statements for more keys are compiled each time: caching those of every shape would take too much memory. */
const maxKeptKeys = 128;

/** The context of the statement of an include, whose own conditions may have more subqueries than a planner orders. */
function childContext(
  context: PlanContext,
  { where, order, node }: ProjectionRelation,
): PlanContext {
  if (!where || context.keepsApart) return context;
  const { model } = node;
  const { scopes, dialect } = context;
  const own = { model, where, order: order ?? [], projection: node, ...(scopes && { scopes }) };
  return exceedsSemijoins(dialect, own)
    ? { ...context, keepsApart: true, apartForm: 'scalar' }
    : context;
}

/** Compiles an include. The rows of a parent are in the order that is asked for, or in that of the target's primary key. */
export function compileInclude(plan: PlanContext, read: ChildRead): CompiledChild {
  const context = childContext(plan, read.projection);
  const { relation, projection, keyColumns } = read;
  const { maxChildren } = projection;
  const model = modelOf(context, relation.target);
  const alias = model.physical.table.name;
  const scope = new Scope(context, { alias, model, optional: false }, new Aliases(alias));
  // From the target back to the table that contains the parents' keys.
  const [first, second] = relation.hops as readonly [PhysicalHop, PhysicalHop?];
  const back = second && { table: first.table, from: second.to, to: second.from };
  const keyAlias = back ? scope.attach(alias, back, 'inner') : alias;
  const selection = new Selection(scope);
  if (maxChildren === undefined) {
    for (const key of keyedColumns(read)) selection.column(keyAlias, key);
  }
  const node = selection.node(scope.root, projection.node);
  const statements = new ChildStatements(scope, read, keyAlias, selection);
  const form = maxChildren === undefined ? statements.all() : statements.first(maxChildren + 1);
  return {
    ...statementOf(context, form),
    maxKeys: form.maxKeys,
    keyLength: keyColumns.length,
    matched: maxChildren === undefined ? statementOf(context, statements.matched()) : null,
    maxChildren,
    node,
    children: selection.children.map((child) => compileInclude(plan, child)),
  };
}

function statementOf(
  { dialect }: PlanContext,
  { sql, maxKeys, parent }: ChildForm,
): ChildStatement {
  // Keys that are not one parameter are padded to a power of two.
  const counted = (keyCount: number) =>
    maxKeys === Infinity ? 1 : 2 ** Math.ceil(Math.log2(keyCount));
  const built = new Map<number, StatementText>();
  return {
    parent,
    statement: (keyCount) => {
      const count = counted(keyCount);
      const known = built.get(count);
      if (known) return known;
      const statement = render(sql(count), dialect.placeholder, dialect.numberedPlaceholders);
      if (count <= maxKeptKeys) built.set(count, statement);
      return statement;
    },
  };
}
