/** Rows as entities: TypeORM selects, joins and makes them, listeners and subscribers included. */

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { PageRows, ProjectionNode } from '../../rules/index.ts';
import type { QuerySchema } from '../../schema/index.ts';
import {
  type CompiledPlan,
  type Sql,
  type StatementParts,
  columnAlias,
  driverError,
  planShape,
} from '../../relational/index.ts';
import { joinsMany, selectEntities } from './entity-selection.ts';
import { preparedBuilder } from './entity-statement.ts';
import { TypeormRead } from './read.ts';
import type { Lease } from './runner.ts';
import { type WrittenStatement, planBuilder, writtenStatement } from './select-builder.ts';

type Entity = ObjectLiteral;
type Builder = SelectQueryBuilder<Entity>;
type Place = readonly (string | null)[];

/** A plan ready to run, whose rows are entities. */
export class TypeormHydration extends TypeormRead<Entity> {
  /**
   * One statement where each of its rows is a row of the page. A `many` include multiplies rows, so there the page's
   * keys are read first and its entities by them.
   */
  override rows(): Promise<PageRows<Entity>> {
    return this.lent((lease) =>
      joinsMany(this.plan.projection) ? this.#byKeys(lease) : this.#atOnce(lease),
    );
  }

  async #atOnce(lease: Lease): Promise<PageRows<Entity>> {
    const { orderColumns } = this.compiled;
    const builder = this.#prepared(lease) ?? this.#written(lease, this.compiled.data.parts).builder;
    const { entities, raw } = await this.#load(lease, builder);
    const place = (at: number): Place =>
      orderColumns.map(({ index, text }) => text(raw[at]?.[columnAlias(index)]));
    return this.#page(entities, entities.length > this.compiled.take, entities.length, place);
  }

  /** The statement as it was written for the first request of its shape; nothing where a hook or a limit changes it. */
  #prepared(lease: Lease): Builder | undefined {
    if (this.watched || this.customizes('data')) return undefined;
    const { manager, cache } = this.target;
    return preparedBuilder({
      manager,
      runner: lease.runner,
      dialect: cache.context.dialect,
      compiled: this.compiled,
      inputs: this.inputs,
      write: () =>
        this.#written(lease, { ...this.compiled.data.parts, limit: null, offset: false }),
    });
  }

  #written(lease: Lease, parts: StatementParts): WrittenStatement {
    const { data, orderColumns } = this.compiled;
    return writtenStatement({
      ...this.builderInput(lease, data, 'data'),
      parts,
      columns: orderColumns.map(({ index }) => [
        parts.columns[index] ?? '',
        ` as ${columnAlias(index)}`,
      ]),
      hydrate: (on) => void this.#select(on),
    });
  }

  async #byKeys(lease: Lease): Promise<PageRows<Entity>> {
    const { take, data } = this.compiled;
    const keyed = this.#keysCompiled();
    const driverRows = this.customizes('data')
      ? await this.customized(lease, keyed.data, 'data')
      : await this.run(lease, keyed.data.statement, this.inputs);
    const hasMore = driverRows.length > take;
    const kept = hasMore ? driverRows.slice(0, take) : driverRows;
    const place = (at: number): Place =>
      keyed.orderColumns.map(({ index, text }) => text(kept[at]?.[index]));
    if (kept.length === 0 || (hasMore && this.plan.page.mode === 'all')) {
      return this.#page([], hasMore, kept.length, place);
    }
    const keys = kept.map((row) => keyed.node.fields.map(({ index }) => row[index]));
    const tail: Sql[] = [];
    const builder = planBuilder({
      ...this.builderInput(lease, data, 'data'),
      customize: undefined,
      parts: entityParts(data.parts, tail),
      hydrate: (on) => {
        tail.push(...this.#select(on));
        this.#whereKeys(on, keys);
      },
    });
    const { entities } = await this.#load(lease, builder);
    return this.#page(entities, hasMore, kept.length, place);
  }

  /** The plan's statement with nothing but the key in its rows. */
  #keysCompiled(): CompiledPlan {
    const { cache } = this.target;
    const projection = keyProjection(cache.context.registry.get(this.plan.model) as QuerySchema);
    const plan = { ...this.plan, projection };
    return cache.compiled(plan, planShape(plan, this.where));
  }

  #select(builder: Builder): Sql[] {
    const { metadata, cache } = this.target;
    return selectEntities(builder, metadata, this.plan.projection, cache.context);
  }

  #whereKeys(builder: Builder, keys: readonly (readonly unknown[])[]): void {
    const { tableName } = this.target.metadata;
    const { context } = this.target.cache;
    const columns = (context.registry.get(this.plan.model)?.primaryKey ?? []).map((path) => {
      const column = context.physical.get(this.plan.model)?.columns.get(path)?.name ?? path;
      return `${builder.escape(tableName)}.${builder.escape(column)}`;
    });
    const [column] = columns;
    if (columns.length === 1) {
      builder.where(`${column} in (:...sluice_keys)`, { sluice_keys: keys.flat() });
      return;
    }
    const tuples = keys.map((key, at) =>
      columns.map((name, part) => {
        builder.setParameter(`sluice_key_${at}_${part}`, key[part]);
        return `${name} = :sluice_key_${at}_${part}`;
      }),
    );
    builder.where(tuples.map((tuple) => `(${tuple.join(' and ')})`).join(' or '));
  }

  async #load(lease: Lease, builder: Builder): Promise<Loaded> {
    const load = (): Promise<Loaded> => builder.getRawAndEntities();
    if (!this.watched) {
      try {
        return await load();
      } catch (error) {
        throw driverError(error, undefined);
      }
    }
    const write = builder.getQuery.bind(builder);
    // The limit is said at the head of the statement, whatever follows.
    return this.guarded(lease, { text: 'select', slots: [] }, (_runner, { text }) => {
      builder.getQuery = () => write().replace(/^select/i, () => text);
      return load();
    });
  }

  /** The page of the entities of so many rows; `placeOf` tells the place of a row as it was read. */
  #page(
    entities: Entity[],
    hasMore: boolean,
    read: number,
    placeOf: (at: number) => Place,
  ): PageRows<Entity> {
    const { take, reversed } = this.compiled;
    const { mode } = this.plan.page;
    if (mode === 'all' && hasMore) return { rows: [], hasMore };
    const rows = entities.slice(0, take);
    if (reversed) rows.reverse();
    const end = Math.min(read, take) - 1;
    if (mode !== 'keyset' || end < 0) return { rows, hasMore };
    const place = (at: number): Place => placeOf(reversed ? end - at : at);
    return { rows, hasMore, first: place(0), last: place(end), place };
  }
}

interface Loaded {
  readonly entities: Entity[];
  readonly raw: readonly { readonly [column: string]: unknown }[];
}

const keyProjections = new WeakMap<QuerySchema, ProjectionNode>();

/** The projection of nothing but the key. */
function keyProjection(schema: QuerySchema): ProjectionNode {
  let node = keyProjections.get(schema);
  if (!node) {
    node = { model: schema.model, fields: schema.primaryKey, relations: [] };
    keyProjections.set(schema, node);
  }
  return node;
}

/** The order of the page, and after it what `tail` will hold; its keys take the place of conditions and window. */
function entityParts(parts: StatementParts, tail: Sql[]): StatementParts {
  const orderBy: Sql = [parts.orderBy ?? '', tail];
  return { ...parts, where: null, limit: null, offset: false, orderBy };
}
