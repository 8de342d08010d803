/** A plan's statement on TypeORM's own `SelectQueryBuilder`, for `customize` and for entities. */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import {
  type Customized,
  type Slot,
  type Sql,
  type StatementParts,
  type StatementText,
  columnAlias,
  joinsSql,
  plainStatement,
  render,
} from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { TypeormExecutor } from './executor.ts';
import type { EntityMetadata } from './describe/metadata-types.ts';

/**
 * Changes a statement before it runs: joins, locks, further conditions. The alias of the root entity is the name of its
 * table. Conditions are AND-ed to the request's; selection, order and window remain the request's.
 */
export type TypeormCustomize<Entity extends ObjectLiteral> = (
  builder: SelectQueryBuilder<Entity>,
  statement: { readonly kind: 'data' | 'count' },
) => SelectQueryBuilder<Entity> | void;

/** The entity that a source lists. */
export interface EntityTarget {
  readonly metadata: EntityMetadata;
  readonly withDeleted: boolean;
}

/** Returns a placeholder word for SQL, for conditions of joins that TypeORM writes. */
export type Mark = (sql: Sql) => string;

export interface BuilderInput
  extends
    EntityTarget,
    Pick<Customized<TypeormExecutor, unknown>, 'executor' | 'context' | 'inputs' | 'kind'> {
  readonly parts: StatementParts;
  readonly customize: TypeormCustomize<ObjectLiteral> | undefined;
  /**
   * Selects the parts of entities; absent for plain rows. `mark` returns a placeholder word, which is replaced by SQL
   * of the plan.
   */
  readonly hydrate?: ((builder: SelectQueryBuilder<ObjectLiteral>, mark: Mark) => void) | undefined;
  /** Selected expressions with aliases. */
  readonly columns: readonly Sql[];
}

// Placeholder words in TypeORM's text, which are replaced by the SQL of the plan.
const columnsMark = 'sluice_columns';
const whereMark = 'sluice_where';
const orderMark = 'sluice_order';
const joinMark = /\bsluice_join_(\d+)\b/g;

/**
 * The builder of a statement. TypeORM writes the text, and the SQL of the plan replaces the placeholder words: so
 * TypeORM does not resolve property names in it, and its order of nulls, keyset conditions and subqueries are exact.
 */
export function planBuilder(input: BuilderInput): SelectQueryBuilder<ObjectLiteral> {
  return writtenStatement(input).builder;
}

/** A builder with the slots of the plan's parameters. */
export interface WrittenStatement {
  readonly builder: SelectQueryBuilder<ObjectLiteral>;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** The builder of a statement, and the slots by parameter name. */
export function writtenStatement(input: BuilderInput): WrittenStatement {
  const { executor, metadata, parts, kind, withDeleted, customize, hydrate } = input;
  const { manager, runner } = executor;
  let builder = manager.createQueryBuilder<ObjectLiteral>(
    metadata.target,
    metadata.tableName,
    runner,
  );
  if (withDeleted) builder.withDeleted();
  builder = customize?.(builder, { kind }) ?? builder;
  if (typeof builder.getQuery !== 'function') {
    throw configurationError('"customize" must return the query builder that it receives');
  }
  const map = builder.expressionMap;
  const added = map.wheres;
  map.wheres = parts.where ? [{ type: 'simple', condition: whereMark }] : [];
  // The host's conditions are combined into one, so that an OR among them does not weaken the plan's.
  if (added.length > 0) {
    map.wheres.push({ type: 'and', condition: { operator: 'brackets', condition: added } });
  }
  builder.select([]);
  const marked: Sql[] = [];
  hydrate?.(builder, (sql) => `sluice_join_${marked.push(sql) - 1}`);
  builder.addSelect(columnsMark).orderBy(orderMark, 'ASC').skip(undefined).take(undefined);
  builder.limit(parts.limit ?? undefined);
  builder.offset(parts.offset ? input.inputs.offset : undefined);
  const slots = new Map<string, Slot>();
  const finish = finisher(input, builder, slots, marked);
  const write = builder.getQuery.bind(builder);
  builder.getQuery = () => finish(write());
  return { builder, slots };
}

/** A statement after the host's hook; its columns keep their order. */
export function customizedStatement<Entity extends ObjectLiteral>(
  input: Customized<TypeormExecutor, TypeormCustomize<Entity>>,
  target: EntityTarget,
): StatementText {
  const { kind, statement } = input;
  const { parts } = statement;
  const columns = parts.columns.map((column, index): Sql => [column, ` as ${columnAlias(index)}`]);
  // By way of `unknown`: the compiler would compare the members of both builders.
  const customize = input.customize as unknown as TypeormCustomize<ObjectLiteral>;
  const builder = planBuilder({ ...input, ...target, parts, customize, columns });
  const [built, values] = builder.getQueryAndParameters();
  const capped = kind === 'count' && parts.limit !== null;
  const text = capped ? `select count(*) as ${columnAlias(0)} from (${built}) as counted` : built;
  return plainStatement(text, values);
}

/** Replaces the placeholder words by the plan's SQL, whose values become the builder's parameters. */
function finisher(
  { executor, context, parts, inputs, metadata, columns }: BuilderInput,
  builder: SelectQueryBuilder<ObjectLiteral>,
  named: Map<string, Slot>,
  marked: readonly Sql[],
): (text: string) => string {
  const textOf = (piece: Sql): string => {
    const first = named.size;
    const { text, slots } = render(piece, (index) => `:sluice_${first + index}`, true);
    for (const slot of slots) {
      const name = `sluice_${named.size + 1}`;
      named.set(name, slot);
      builder.setParameter(name, executor.textValues([slot.read(inputs)])[0]);
    }
    return text;
  };
  const where = parts.where ? textOf(['(', parts.where, ')']) : '';
  const joins = textOf(joinsSql(context, parts.joins));
  const ofJoins = marked.map((piece) => textOf(piece));
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
        .replace(joinMark, (_, index: string) => ofJoins[Number(index)] ?? '')
        .replace(whereMark, () => where)
        .replace(` ORDER BY ${orderMark} ASC`, () => order),
    ].join('');
  };
}
