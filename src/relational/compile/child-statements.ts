/** The statements that read the rows of an include for a list of parents, as SQL for a number of keys. */

import type { PlanValue } from '../../rules/index.ts';
import { askedCondition } from './asked-children.ts';
import type { Dialect } from './dialect.ts';
import type { LoweringContext } from './model-context.ts';
import { modelOf } from './model-context.ts';
import { keyTerms, lowerOrder, orderSql } from './order/order.ts';
import type { PhysicalColumn, PhysicalHop } from './physical.ts';
import { columnAlias, namedColumns } from './row-channel.ts';
import { type PlanContext, type Scope, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type ChildRead, Selection } from './selection.ts';
import { type Sql, type StatementInputs, join, maxRepeated, slotCount } from './sql-text.ts';

/** The columns that tell the parent of a row: its key, or the index of its key among those of the statement. */
export interface ParentColumns {
  readonly type: 'key' | 'index';
  readonly at: number;
}

/** A form of the statement. */
export interface ChildForm {
  readonly sql: (keyCount: number) => Sql;
  /** Largest number of keys of one statement; `Infinity` where they are one parameter. */
  readonly maxKeys: number;
  readonly parent: ParentColumns;
}

/**
 * Largest number of keys written out in one statement: SQLite accepts 32,766 parameters, and PostgreSQL plans thousands
 * of tuples slowly and does not accept ten thousand.
 */
const maxWrittenKeys = 1024;

/** Largest number of parts of a union: SQLite accepts 500, and servers parse long statements slowly. */
const maxParts = 128;

/** The rows of an include in a scope whose root is the target. */
export class ChildStatements {
  readonly #context: PlanContext;
  readonly #scope: Scope;
  readonly #read: ChildRead;
  readonly #selection: Selection;
  readonly #order: Sql;
  readonly #rows: Sql | null;
  readonly #hop: PhysicalHop;
  readonly #keyAlias: string;
  /** The columns that contain the keys of the parents, as a key of the parent is bound. */
  readonly #keys: readonly PhysicalColumn[];

  /** `selection` has the columns that are read of each row. */
  constructor(scope: Scope, read: ChildRead, keyAlias: string, selection: Selection) {
    const { context } = scope;
    const { target, hops } = read.relation;
    this.#context = context;
    this.#scope = scope;
    this.#read = read;
    this.#selection = selection;
    this.#hop = hops[0] as PhysicalHop;
    this.#keyAlias = keyAlias;
    this.#keys = keyedColumns(read);
    const { order = keyTerms(context, target, 'first') } = read.projection;
    this.#order = orderSql(scope, lowerOrder(scope, order, false));
    const rows = [
      askedCondition(scope, read.projection),
      context.rowCondition(scope, scope.root, 'where'),
    ].filter((part) => part !== null);
    this.#rows = rows.length === 0 ? null : join(rows, ' and ');
  }

  /** All rows of the parents. The first columns are the key as the child has it. */
  all(): ChildForm {
    const { channel } = this.#context;
    const names = this.#keys.map(({ name }) => columnSql(this.#context, this.#keyAlias, name));
    return {
      sql: (count) => {
        const columns = namedColumns(this.#selection.columns, channel);
        return this.#select(columns, '', keyMembership(this.#context, this.#keys, names, count));
      },
      maxKeys: this.#mostKeys,
      parent: { type: 'key', at: 0 },
    };
  }

  /**
   * The same rows, each followed by the key as its parent has it. Keys that a collation or a type takes for equal may
   * differ as text, as `Acme` and `ACME` do.
   */
  matched(): ChildForm {
    const { columns } = this.#selection;
    const parents = this.#parents();
    return {
      sql: (count) =>
        this.#select(
          namedColumns([...columns, ...parents.columns], this.#context.channel),
          [
            ` inner join (select distinct ${parents.names.join(', ')} from ${parents.table} where `,
            parents.condition(count),
            `) as ${parents.alias} on `,
            parents.equal,
          ],
          null,
        ),
      maxKeys: this.#mostKeys,
      parent: { type: 'key', at: columns.length },
    };
  }

  /** The first rows of each parent, in their order. */
  first(count: number): ChildForm {
    const { hasLateral, limit } = this.#context.dialect;
    const end: Sql = [' limit ', limit(count)];
    // Different keys of parents may be equal for the database, unless they are primary keys.
    return hasLateral && this.#read.isByKey ? this.#lateral(end) : this.#union(end);
  }

  #lateral(end: Sql): ChildForm {
    const { columns } = this.#selection;
    const names = columns.map((_, index) => columnAlias(index));
    const parents = this.#parents();
    return {
      sql: (count) => [
        'select ',
        join(namedColumns([...names, ...parents.columns], this.#context.channel), ', '),
        ` from ${parents.table} cross join lateral (`,
        this.#select(namedColumns(columns, { named: true }), '', parents.equal),
        end,
        ') as limited where ',
        parents.condition(count),
      ],
      maxKeys: this.#mostKeys,
      parent: { type: 'key', at: columns.length },
    };
  }

  #union(end: Sql): ChildForm {
    const { dialect } = this.#context;
    const { columns } = this.#selection;
    const partOf = (at: number): Sql => {
      const equal = this.#keys.map((key, index): Sql => {
        // Without a key, a part is empty.
        const read = ({ keys }: StatementInputs) => keys[at]?.[index] ?? null;
        const name = columnSql(this.#context, this.#keyAlias, key.name);
        return [`${name} = `, dialect.operand(key, { read })];
      });
      const selected = namedColumns([...columns, String(at)], { named: true });
      return dialect.unionPart([this.#select(selected, '', join(equal, ' and ')), end]);
    };
    const perStatement = maxRepeated / slotCount(partOf(0));
    return {
      sql: (count) =>
        join(
          Array.from({ length: count }, (_, at) => partOf(at)),
          ' union all ',
        ),
      maxKeys: Math.max(1, Math.min(maxParts, 2 ** Math.floor(Math.log2(perStatement)))),
      parent: { type: 'index', at: columns.length },
    };
  }

  #select(columns: readonly Sql[], joined: Sql, condition: Sql | null): Sql {
    const { physical } = modelOf(this.#context, this.#read.relation.target);
    const conditions = [condition, this.#rows].filter((part) => part !== null);
    return [
      'select ',
      join(columns, ', '),
      ` from ${tableSql(this.#context, physical.table)} as ${this.#context.dialect.quote(this.#scope.root.alias)}`,
      joinsSql(this.#context, this.#scope.joins),
      joined,
      conditions.length > 0 ? [' where ', join(conditions, ' and ')] : '',
      ' order by ',
      this.#order,
    ];
  }

  /** The table of the parents, whose keys are as the page has them. */
  #parents() {
    const context = this.#context;
    const { parent, keyColumns } = this.#read;
    const alias = this.#scope.aliases.next();
    const names = this.#hop.from.map((name) => columnSql(context, alias, name));
    const selection = new Selection(this.#scope);
    for (const [index, name] of this.#hop.from.entries()) {
      selection.column(alias, { ...(keyColumns[index] as PhysicalColumn), name });
    }
    const quoted = context.dialect.quote(alias);
    return {
      alias: quoted,
      names,
      columns: selection.columns,
      table: `${tableSql(context, parent)} as ${quoted}`,
      condition: (count: number) => keyMembership(context, keyColumns, names, count),
      equal: pairs(context, this.#keyAlias, this.#hop.to, alias, this.#hop.from),
    };
  }

  get #mostKeys(): number {
    return isOneList(this.#context.dialect) && isListed(this.#keys) ? Infinity : maxWrittenKeys;
  }
}

/** The columns of the first table of a relation that contain the keys of the parents. */
export const keyedColumns = ({ relation: { hops }, keyColumns }: ChildRead): PhysicalColumn[] =>
  (hops[0] as PhysicalHop).to.map((name, index) => ({
    ...(keyColumns[index] as PhysicalColumn),
    name,
  }));

/** Whether long lists are one parameter. */
const isOneList = ({ listShape }: Dialect): boolean => listShape(maxWrittenKeys) === '';

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
      length: isOneList(dialect) ? maxWrittenKeys : keyCount,
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
