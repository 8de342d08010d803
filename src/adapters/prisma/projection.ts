/** Converts a projection to Prisma's `select`, and the client's results to presented rows. */

import { uuidText } from '../../relational/index.ts';
import { QueryError, kindRow } from '../../schema/index.ts';
import {
  type ProjectionNode,
  type ProjectionRelation,
  type Row,
  markTruncated,
} from '../../rules/index.ts';
import type { ClientRow } from './client.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  fieldAt,
  modelNamed,
} from './client-model.ts';
import { maxWindow } from './exactness.ts';
import { keyOrder } from './order.ts';
import { type Where, isEverything } from './where.ts';

type Present = (value: unknown) => unknown;

/** A `select` of any model. */
export interface Select {
  [field: string]: unknown;
}

/** Whether a row of a model is within the scope of the request; the row has its primary key. */
export type IsVisible = (model: string, row: ClientRow) => boolean;

/** One compiled projection. */
export interface ClientProjection {
  readonly select: Select;
  /** Converts a row of the client to its presented form. */
  read(row: ClientRow, isVisible: IsVisible): Row;
  /** Visits the rows of included relations that the select does not limit to their scope. */
  unchecked(row: ClientRow, visit: (model: string, row: ClientRow) => void): void;
}

/** The scope of a model as Prisma's own condition: empty where all rows are visible, `undefined` if it is inexact. */
type ScopeWhere = (model: string) => Where | undefined;

/** Converts a field's value to its presented form; `null` where the client returns that form. */
export function fieldPresenter({ type, descriptor, shownMembers }: ClientField): Present | null {
  const { kind } = descriptor;
  if (shownMembers) return (value) => shownMembers.get(String(value)) ?? value;
  if (type === 'Boolean' || (type === 'Int' && kind === 'integer')) return null;
  if (type === 'String' && kind === 'string') return null;
  if (type === 'Bytes' && kind === 'uuid') return uuidText;
  return kindRow(kind).present;
}

/** The projection of a node on its model. */
export function clientProjection(
  models: ClientModels,
  node: ProjectionNode,
  scopeOf: ScopeWhere,
): ClientProjection {
  const model = modelNamed(models, node.model);
  const select: Select = {};
  const fields = node.fields.map((name) => {
    select[name] = true;
    return { name, present: fieldPresenter(fieldAt(model, name)) };
  });
  const taken = new Map<string, string>();
  const relations = node.relations.map((relation) =>
    included(models, model, relation, { into: select, taken }, scopeOf),
  );
  // A hook may have removed every field from the projection; the rows must be returned all the same.
  if (Object.keys(select).length === 0) select[model.primaryKey[0] ?? ''] = true;
  return {
    select,
    read: (row, isVisible) => {
      const shown: Row = {};
      for (const { name, present } of fields) {
        const value = row[name];
        if (value === null || value === undefined) shown[name] = null;
        else shown[name] = present === null ? value : present(value);
      }
      const cut: string[] = [];
      for (const { name, isOne, isChecked, target, inner, rowsOf, most } of relations) {
        const all = rowsOf(row);
        const rows = isChecked ? all : all.filter((each) => isVisible(target, each));
        const found = rows.slice(0, most).map((each) => inner.read(each, isVisible));
        shown[name] = isOne ? (found[0] ?? null) : found;
        if (rows.length > most) cut.push(name);
      }
      for (const name of cut) markTruncated(shown, name);
      return shown;
    },
    unchecked: (row, visit) => {
      for (const { isChecked, target, inner, rowsOf } of relations) {
        for (const each of rowsOf(row)) {
          if (!isChecked) visit(target, each);
          inner.unchecked(each, visit);
        }
      }
    },
  };
}

interface IncludedRelation {
  readonly name: string;
  readonly isOne: boolean;
  readonly target: string;
  /** Whether the select returns only rows within the scope of the target. */
  readonly isChecked: boolean;
  readonly inner: ClientProjection;
  /** Largest number of rows that are shown; `Infinity` for no limit. */
  readonly most: number;
  /** The rows of the target in a row of the parent; of a `one` relation at most one. */
  rowsOf(row: ClientRow): readonly ClientRow[];
}

/** The select of a parent, and the relation that each of its lists belongs to. */
interface Lists {
  readonly into: Select;
  readonly taken: Map<string, string>;
}

/** Adds an included relation to the select of its parent and returns its reader. */
function included(
  models: ClientModels,
  parent: ClientModel,
  { path, cardinality, node, maxChildren }: ProjectionRelation,
  { into, taken }: Lists,
  scopeOf: ScopeWhere,
): IncludedRelation {
  const inner = clientProjection(models, node, scopeOf);
  const target = modelNamed(models, node.model);
  const scope = scopeOf(node.model);
  const isOne = cardinality === 'one';
  const isOpen = scope !== undefined && isEverything(scope);
  // The client has no conditions on a `one` relation.
  const isChecked = isOpen || (scope !== undefined && !isOne);
  const select = isChecked
    ? inner.select
    : { ...inner.select, ...Object.fromEntries(target.primaryKey.map((key) => [key, true])) };
  const most = maxChildren ?? Infinity;
  const shared = { name: path, isOne, target: node.model, isChecked, inner, most };
  // One row more tells that rows follow. Where rows outside of the scope are taken off later, all are read.
  const isCut = isChecked && most < maxWindow;
  const window = isCut ? { take: most + 1 } : {};
  const through = parent.relations.get(path)?.through;
  const orderBy = keyOrder(target);
  const name = through ? through[0] : path;
  const other = taken.get(name);
  if (other !== undefined) refuseTwice(parent, path, other);
  taken.set(name, path);
  if (through) {
    const [list, reference] = through;
    const isLimited = isCut || (isChecked && !isOpen);
    into[list] = {
      // References to rows that do not exist would take the places of others.
      ...(isLimited && { where: { [reference]: { is: scope } } }),
      ...window,
      select: { [reference]: { select } },
      orderBy: orderBy.map((term) => ({ [reference]: term })),
    };
    return {
      ...shared,
      // The join model may refer to a row that does not exist.
      rowsOf: (row) =>
        rowsAt(row, list)
          .map((joined) => joined[reference] as ClientRow | null)
          .filter((each) => each !== null),
    };
  }
  if (isOne) {
    into[path] = { select };
    return {
      ...shared,
      rowsOf: (row) => {
        const value = row[path];
        return value === null || value === undefined ? [] : [value as ClientRow];
      },
    };
  }
  into[path] = { ...(isChecked && !isOpen && { where: scope }), ...window, select, orderBy };
  return { ...shared, rowsOf: (row) => rowsAt(row, path) };
}

function rowsAt(row: ClientRow, list: string): readonly ClientRow[] {
  return row[list] as readonly ClientRow[];
}

/** Prisma loads one list of a join model per row, in one order. */
function refuseTwice(model: ClientModel, path: string, other: string): never {
  throw new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `${model.name}.${path} and ${model.name}.${other} are one list of the Prisma client; include one of them.`,
    { model: model.name, path },
  );
}
