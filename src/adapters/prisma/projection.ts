/** Converts a projection to Prisma's `select`, and the client's results to presented rows. */

import { QueryError, kindRow } from '../../schema/index.ts';
import type { ProjectionNode, ProjectionRelation, Row } from '../../rules/index.ts';
import type { ClientRow } from './client.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  fieldAt,
  modelNamed,
} from './client-model.ts';
import { keyOrder } from './order.ts';

type Present = (value: unknown) => unknown;

/** A `select` of any model. */
export interface Select {
  [field: string]: unknown;
}

/** One compiled projection. */
export interface ClientProjection {
  readonly select: Select;
  /** Converts a row of the client to its presented form. */
  read(row: ClientRow): Row;
}

/** Converts a field's value to its presented form; `null` where the client returns that form. */
export function fieldPresenter({ type, descriptor, shownMembers }: ClientField): Present | null {
  const { kind } = descriptor;
  if (shownMembers) return (value) => shownMembers.get(String(value)) ?? value;
  if (type === 'Boolean' || (type === 'Int' && kind === 'integer')) return null;
  if (type === 'String' && kind === 'string') return null;
  return kindRow(kind).present;
}

/** The projection of a node on its model. */
export function clientProjection(models: ClientModels, node: ProjectionNode): ClientProjection {
  const model = modelNamed(models, node.model);
  const select: Select = {};
  const fields = node.fields.map((name) => {
    select[name] = true;
    return { name, present: fieldPresenter(fieldAt(model, name)) };
  });
  const relations = node.relations.map((relation) => included(models, model, relation, select));
  // A hook may have removed every field from the projection; the rows must be returned all the same.
  if (Object.keys(select).length === 0) select[model.primaryKey[0] ?? ''] = true;
  return {
    select,
    read: (row) => {
      const shown: Row = {};
      for (const { name, present } of fields) {
        const value = row[name];
        if (value === null || value === undefined) shown[name] = null;
        else shown[name] = present === null ? value : present(value);
      }
      for (const { name, read } of relations) shown[name] = read(row);
      return shown;
    },
  };
}

interface IncludedRelation {
  readonly name: string;
  read(row: ClientRow): unknown;
}

/** Adds an included relation to the select of its parent and returns its reader. */
function included(
  models: ClientModels,
  parent: ClientModel,
  { path, cardinality, node }: ProjectionRelation,
  into: Select,
): IncludedRelation {
  const inner = clientProjection(models, node);
  const through = parent.relations.get(path)?.through;
  const orderBy = keyOrder(modelNamed(models, node.model));
  const name = through ? through[0] : path;
  if (Object.hasOwn(into, name)) refuseTwice(parent, path, name);
  if (through) {
    const [list, reference] = through;
    into[list] = {
      select: { [reference]: { select: inner.select } },
      orderBy: orderBy.map((term) => ({ [reference]: term })),
    };
    return {
      name: path,
      read: (row) => rowsAt(row, list).map((joined) => inner.read(joined[reference] as ClientRow)),
    };
  }
  if (cardinality === 'many') {
    into[path] = { select: inner.select, orderBy };
    return { name: path, read: (row) => rowsAt(row, path).map(inner.read) };
  }
  into[path] = { select: inner.select };
  return {
    name: path,
    read: (row) => {
      const value = row[path];
      return value === null || value === undefined ? null : inner.read(value as ClientRow);
    },
  };
}

function rowsAt(row: ClientRow, list: string): readonly ClientRow[] {
  return row[list] as readonly ClientRow[];
}

/** Prisma loads one list of a join model per row, in one order. */
function refuseTwice(model: ClientModel, path: string, name: string): never {
  throw new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `${model.name}.${path} and ${model.name}.${name} are one list of the Prisma client; include one of them.`,
    { model: model.name, path },
  );
}
