/** A plan's statement on TypeORM's own `SelectQueryBuilder`, for hosts that customize it and for entities. */

import type { EntityManager, ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm';
import {
  type LoweringContext,
  type Slot,
  type Sql,
  type StatementInputs,
  type StatementParts,
  joinsSql,
  render,
} from '../../relational/index.ts';
import type { EntityMetadata } from './metadata-types.ts';

/**
 * Changes a statement before it runs: joins, locks, further conditions. The root entity goes by the name of its table.
 * Conditions are AND-ed with the request's; what is selected, order and window stay the request's.
 */
export type TypeormCustomize<Entity extends ObjectLiteral> = (
  builder: SelectQueryBuilder<Entity>,
  statement: { readonly kind: 'data' | 'count' },
) => SelectQueryBuilder<Entity> | void;

/** What a builder is made from. */
export interface BuilderInput {
  readonly manager: EntityManager;
  readonly runner: QueryRunner;
  readonly metadata: EntityMetadata;
  readonly context: LoweringContext;
  readonly parts: StatementParts;
  readonly inputs: StatementInputs;
  readonly kind: 'data' | 'count';
  readonly withDeleted: boolean;
  readonly customize: TypeormCustomize<ObjectLiteral> | undefined;
  /** Selects what entities are made of; nothing for plain rows. */
  readonly hydrate?: ((builder: SelectQueryBuilder<ObjectLiteral>) => void) | undefined;
  /** What is selected as it is, already named. */
  readonly columns: readonly Sql[];
}

// Words that stand in TypeORM's text for what it must not touch.
const columnsMark = 'sluice_columns';
const whereMark = 'sluice_where';
const orderMark = 'sluice_order';

/**
 * The builder of a statement. TypeORM writes the text; where its marks are, the SQL of the plan is put in, so that no
 * property is looked for in it and its order of nulls, its keyset conditions and its subqueries are said exactly.
 */
export function planBuilder(input: BuilderInput): SelectQueryBuilder<ObjectLiteral> {
  return writtenStatement(input).builder;
}

/** A builder with the slots behind the parameters that are the plan's. */
export interface WrittenStatement {
  readonly builder: SelectQueryBuilder<ObjectLiteral>;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** The builder of a statement, and what is behind the names of its parameters. */
export function writtenStatement(input: BuilderInput): WrittenStatement {
  const { manager, runner, metadata, parts, kind, withDeleted, customize, hydrate } = input;
  const alias = metadata.tableName;
  const made = manager.createQueryBuilder(metadata.target, alias, runner) as
    | SelectQueryBuilder<ObjectLiteral>
    | undefined;
  let builder = made as SelectQueryBuilder<ObjectLiteral>;
  if (withDeleted) builder.withDeleted();
  builder = customize?.(builder, { kind }) ?? builder;
  const map = builder.expressionMap;
  const added = map.wheres;
  map.wheres = parts.where ? [{ type: 'simple', condition: whereMark }] : [];
  // A condition of the host's is one condition, whatever ORs are in it.
  if (added.length > 0) {
    map.wheres.push({ type: 'and', condition: { operator: 'brackets', condition: added } });
  }
  builder.select([]);
  hydrate?.(builder);
  builder.addSelect(columnsMark).orderBy(orderMark, 'ASC').skip(undefined).take(undefined);
  builder.limit(parts.limit ?? undefined);
  builder.offset(parts.offset ? input.inputs.offset : undefined);
  const slots = new Map<string, Slot>();
  const finish = finisher(input, builder, slots);
  const write = builder.getQuery.bind(builder);
  builder.getQuery = () => finish(write());
  return { builder, slots };
}

/** Puts the plan's SQL where the marks are; its values become the builder's parameters. */
function finisher(
  { context, parts, inputs, metadata, columns }: BuilderInput,
  builder: SelectQueryBuilder<ObjectLiteral>,
  named: Map<string, Slot>,
): (text: string) => string {
  const textOf = (piece: Sql): string => {
    const first = named.size;
    const { text, slots } = render(piece, (index) => `:sluice_${first + index}`, true);
    for (const slot of slots) {
      const name = `sluice_${named.size + 1}`;
      named.set(name, slot);
      builder.setParameter(name, slot.read(inputs));
    }
    return text;
  };
  const where = parts.where ? textOf(['(', parts.where, ')']) : '';
  const joins = textOf(joinsSql(context, parts.joins));
  const selected = columns.map((column) => textOf(column)).join(', ');
  const order = parts.orderBy ? ` ORDER BY ${textOf(parts.orderBy)}` : '';
  const table = metadata.tablePath
    .split('.')
    .map((part) => builder.escape(part))
    .join('.');
  const from = ` FROM ${table} ${builder.escape(metadata.tableName)}`;
  return (text) => {
    const at = text.indexOf(columnsMark);
    const end = at + columnsMark.length + from.length;
    const hint = /^ USE INDEX \([^)]*\)/.exec(text.slice(end))?.[0] ?? '';
    const head = text.slice(0, at);
    return [
      selected === '' ? head.replace(/, $/, '') : head + selected,
      text.slice(at + columnsMark.length, end) + hint + joins,
      text
        .slice(end + hint.length)
        .replace(whereMark, () => where)
        .replace(` ORDER BY ${orderMark} ASC`, () => order),
    ].join('');
  };
}
