/**
 * Caches TypeORM's statement for entities per shape: a request binds its values, and TypeORM creates entities of the
 * rows.
 */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import {
  type CompiledPlan,
  type Dialect,
  type Slot,
  type Sql,
  type StatementInputs,
  type StatementText,
  bind,
  render,
  windowSql,
} from '../../../relational/index.ts';
import { type TypeormExecutor, dataSourceOf } from '../executor.ts';
import type { WrittenStatement } from '../select-builder.ts';

type Builder = SelectQueryBuilder<ObjectLiteral>;

/** A statement with TypeORM's map of expressions, from which it creates entities. */
interface EntityStatement extends StatementText {
  readonly map: Builder['expressionMap'];
}

/** `null` where TypeORM itself binds values, so that every request needs a new text. */
const statements = new WeakMap<CompiledPlan, EntityStatement | null>();

/** The parts of a statement's builder. */
interface EntityStatementInput {
  readonly executor: TypeormExecutor;
  readonly dialect: Dialect;
  readonly compiled: CompiledPlan;
  readonly inputs: StatementInputs;
  /** Builds the statement without its window. */
  readonly write: () => WrittenStatement;
}

/** A builder with a prepared text; `undefined` where each request needs a new text. */
export function preparedBuilder(input: EntityStatementInput): Builder | undefined {
  const { executor, compiled, inputs } = input;
  let statement = statements.get(compiled);
  if (statement === undefined) {
    statement = entityStatement(input);
    statements.set(compiled, statement);
  }
  if (statement === null) return undefined;
  const { text, map } = statement;
  const values = executor.textValues(bind(statement, inputs));
  return Object.assign(dataSourceOf(executor.manager).createQueryBuilder(executor.runner), {
    expressionMap: map.clone(),
    getQueryAndParameters: (): [string, unknown[]] => [text, values],
  });
}

function entityStatement({
  write,
  dialect,
  compiled,
}: EntityStatementInput): EntityStatement | null {
  const { builder, slots } = write();
  // Entities need their keys, which TypeORM selects where the projection does not.
  builder.expressionMap.queryEntity = true;
  const named = builder.getQuery();
  if (Object.keys(builder.getParameters()).some((name) => !slots.has(name))) return null;
  const { numberedPlaceholders, placeholder } = dialect;
  const sql = [withSlots(named, slots), windowSql(dialect, compiled.data.parts)];
  const text = render(sql, placeholder, numberedPlaceholders);
  return { ...text, map: builder.expressionMap };
}

/** TypeORM's text with a slot for each named parameter. */
function withSlots(named: string, slots: ReadonlyMap<string, Slot>): Sql {
  const pieces: Sql[] = [];
  let end = 0;
  for (const { 0: mark, 1: name = '', index } of named.matchAll(/:(sluice_\d+)\b/g)) {
    pieces.push(named.slice(end, index), slots.get(name) ?? mark);
    end = index + mark.length;
  }
  pieces.push(named.slice(end));
  return pieces;
}
