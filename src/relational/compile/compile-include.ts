/** Compiles the statement that reads one `many` include for all parents of a page. */

import type { PlanValue } from '../../rules/index.ts';
import type { LoweringContext } from './model-context.ts';
import { modelOf } from './model-context.ts';
import { keyTerms, lowerOrder, orderSql } from './order.ts';
import type { PhysicalColumn, PhysicalHop } from './physical.ts';
import type { NodeReader } from '../read/reader.ts';
import { columnAlias, namedColumns } from './row-channel.ts';
import { Aliases, type PlanContext, Scope, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type ChildRead, Selection } from './selection.ts';
import { type Sql, type StatementInputs, type StatementText, join, render } from './sql-text.ts';

/** A compiled include with its nested includes. */
export interface CompiledChild {
  readonly statement: (keyCount: number) => StatementText;
  /** Largest number of keys of one statement; more keys take several statements. */
  readonly maxKeys: number;
  /** The first `keyLength` columns of a row are the key of its parent. */
  readonly keyLength: number;
  /**
   * The same rows, each followed by the key as its parent has it. Keys that a collation or a type takes for equal may
   * differ as text, as `Acme` and `ACME` do.
   */
  readonly matched: {
    readonly statement: (keyCount: number) => StatementText;
    readonly at: number;
  };
  /** Where the rows of each parent are limited. */
  readonly bound: ChildBound | null;
  readonly node: NodeReader;
  readonly children: readonly CompiledChild[];
}

/** The limit of an include: the statement reads one row more for each parent, which tells that rows follow. */
interface ChildBound {
  readonly maxChildren: number;
  /** Index of the column with the position of a row among those of its parent, from 1 on. */
  readonly position: number;
}

/**
 * Largest number of keys written out in one statement: SQLite accepts 32,766 parameters, and PostgreSQL plans thousands
 * of tuples slowly and does not accept ten thousand.
 */
const maxWrittenKeys = 1024;
/** Statements for more keys are compiled each time: caching those of every shape would take too much memory. */
const maxKeptKeys = 64;

/** Compiles an include. Its rows are in the order of the target's primary key. */
export function compileInclude(context: PlanContext, read: ChildRead): CompiledChild {
  const { dialect } = context;
  const { relation, projection, keyColumns, parent } = read;
  const model = modelOf(context, relation.target);
  const alias = model.physical.table.name;
  const scope = new Scope(context, { alias, model, optional: false }, new Aliases(alias));
  // From the target back to the table that contains the parents' keys.
  const [first, second] = relation.hops as readonly [PhysicalHop, PhysicalHop?];
  let keyAlias = alias;
  if (second) {
    const back: PhysicalHop = { table: first.table, from: second.to, to: second.from };
    keyAlias = scope.attach(alias, back, 'inner');
  }
  const selection = new Selection(scope);
  const keys = first.to.map((name, index): PhysicalColumn => {
    const parent = keyColumns[index] as PhysicalColumn;
    return { ...parent, name };
  });
  for (const key of keys) selection.column(keyAlias, key);
  const node = selection.node(scope.root, projection.node);
  const order = orderSql(
    scope,
    lowerOrder(scope, keyTerms(context, relation.target, 'first'), false),
  );
  const keySql = keys.map((key) => columnSql(context, keyAlias, key.name));
  const rows = context.rowCondition(scope, scope.root, 'where');
  const table = ` from ${tableSql(context, model.physical.table)} as ${dialect.quote(alias)}`;
  const from = (keyCount: number): Sql => [
    table,
    joinsSql(context, scope.joins),
    ' where ',
    keyMembership(context, keys, keySql, keyCount),
    rows ? [' and ', rows] : '',
  ];
  const { maxChildren } = projection;
  const bound =
    maxChildren === undefined ? null : { maxChildren, position: selection.columns.length };
  const build = (
    partition: readonly string[],
    added: readonly Sql[],
    source: Sql,
  ): StatementText => {
    const numbered: Sql[] = bound
      ? [['row_number() over (partition by ', partition.join(', '), ' order by ', order, ')']]
      : [];
    const columns = [...selection.columns, ...numbered, ...added];
    return render(
      bound
        ? firstOfEach(columns, source, bound)
        : [
            'select ',
            join(namedColumns(columns, context.channel), ', '),
            source,
            ' order by ',
            order,
          ],
      dialect.placeholder,
      dialect.numberedPlaceholders,
    );
  };
  const parentAlias = scope.aliases.next();
  const buildMatched = (keyCount: number): StatementText => {
    const parentSql = first.from.map((name) => columnSql(context, parentAlias, name));
    const parentKeys = new Selection(scope);
    for (const [index, name] of first.from.entries()) {
      parentKeys.column(parentAlias, { ...(keys[index] as PhysicalColumn), name });
    }
    return build(parentSql, parentKeys.columns, [
      table,
      joinsSql(context, scope.joins),
      ` inner join (select distinct ${parentSql.join(', ')} from ${tableSql(context, parent)} as ${dialect.quote(parentAlias)} where `,
      keyMembership(context, keyColumns, parentSql, keyCount),
      `) as ${dialect.quote(parentAlias)} on `,
      pairs(context, keyAlias, first.to, parentAlias, first.from),
      rows ? [' where ', rows] : '',
    ]);
  };
  const isList = dialect.listShape(maxWrittenKeys) === '' && isListed(keys);
  // A list is one parameter of any length; keys that are written out are padded to a power of two.
  const counted = (keyCount: number) => (isList ? 1 : 2 ** Math.ceil(Math.log2(keyCount)));
  const built = new Map<number, StatementText>();
  return {
    statement: (keyCount) => {
      const count = counted(keyCount);
      const known = built.get(count);
      if (known) return known;
      const statement = build(keySql, [], from(count));
      if (count <= maxKeptKeys) built.set(count, statement);
      return statement;
    },
    maxKeys: isList ? Infinity : maxWrittenKeys,
    keyLength: keys.length,
    matched: {
      statement: (keyCount) => buildMatched(counted(keyCount)),
      at: selection.columns.length + (bound ? 1 : 0),
    },
    bound,
    node,
    children: selection.children.map((child) => compileInclude(context, child)),
  };
}

/** The rows of a statement whose position is within the limit or next to it. */
function firstOfEach(
  columns: readonly Sql[],
  from: Sql,
  { maxChildren, position }: ChildBound,
): Sql {
  const names = columns.map((_, index) => columnAlias(index)).join(', ');
  return [
    `select ${names} from (select `,
    join(namedColumns(columns, { named: true }), ', '),
    from,
    `) as numbered where ${columnAlias(position)} <= ${maxChildren + 1}`,
  ];
}

/** Whether keys can be members of a list: one column that is not binary, which some families' lists do not accept. */
const isListed = (keys: readonly PhysicalColumn[]): boolean =>
  keys.length === 1 && keys[0]?.kind !== 'binary';

function keyMembership(
  context: LoweringContext,
  keys: readonly PhysicalColumn[],
  keySql: readonly string[],
  keyCount: number,
): Sql {
  const { dialect } = context;
  const [key] = keys;
  if (key && isListed(keys)) {
    const list = {
      column: key,
      length: keyCount,
      read: (inputs: StatementInputs) => inputs.keys.map((tuple) => tuple[0] as PlanValue),
      // Keys are bound in the form in which the driver returned them.
      bind: (value: PlanValue) => value,
    };
    return dialect.membership(keySql[0] ?? '', list, false);
  }
  const tuples = Array.from({ length: keyCount }, (_, at): Sql => {
    const members = keys.map((column, part) =>
      dialect.operand(column, {
        read: (inputs) => {
          const tuple = inputs.keys[Math.min(at, inputs.keys.length - 1)];
          return tuple?.[part];
        },
      }),
    );
    return ['(', join(members, ', '), ')'];
  });
  return [`(${keySql.join(', ')}) in (${dialect.rowListPrefix}`, join(tuples, ', '), ')'];
}
