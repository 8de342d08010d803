/** Finds the rows of a page through the client, by keys that SQL has selected, in the order of the page. */

import type { DatabaseFamily, PlanValue, ProjectionNode, Row } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { ClientRow } from './client.ts';
import { type ClientField, type ClientModel, fieldAt } from './client-model.ts';
import { clientValue, keepsPlace, keysPerQuery } from './exactness.ts';
import { keyOrder } from './order.ts';
import { type Select, fieldPresenter } from './projection.ts';
import type { Where } from './where.ts';

/** Types of which the client may round values. */
const roundedTypes: ReadonlySet<string> = new Set(['Decimal', 'DateTime', 'Float']);

/** Finds the rows of one model by keys. */
export class KeyLookup {
  /** The projection of the key. */
  readonly projection: ProjectionNode;
  readonly orderBy: readonly Where[];
  readonly #family: DatabaseFamily;
  readonly #fields: readonly ClientField[];

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client cannot bind a key exactly */
  constructor(family: DatabaseFamily, model: ClientModel) {
    this.projection = { model: model.name, fields: model.primaryKey, relations: [] };
    this.orderBy = keyOrder(model);
    this.#family = family;
    this.#fields = model.primaryKey.map((path) => fieldAt(model, path));
    for (const field of this.#fields) {
      if (!roundedTypes.has(field.type) || keepsPlace(field)) continue;
      const { path } = field.descriptor;
      throw configurationError(
        `${model.name}.${path}: the Prisma client does not read or bind this key exactly, so that rows cannot be found by it.`,
        { model: model.name, path },
      );
    }
  }

  /** The `where` of each query that is needed to find the rows. */
  wheres(keys: readonly Row[]): Where[] {
    const wheres: Where[] = [];
    const size = keysPerQuery(this.#family, this.#fields.length);
    for (let at = 0; at < keys.length; at += size)
      wheres.push(this.#where(keys.slice(at, at + size)));
    return wheres;
  }

  #where(keys: readonly Row[]): Where {
    const tuples = keys.map((key) => {
      const parts = this.#fields.map((field): [string, unknown] => {
        const { path } = field.descriptor;
        return [path, clientValue(field, key[path] as PlanValue)];
      });
      return Object.fromEntries(parts);
    });
    const [field] = this.#fields;
    if (this.#fields.length > 1 || !field) return { OR: tuples };
    const { path } = field.descriptor;
    return { [path]: { in: tuples.map((tuple) => tuple[path]) } };
  }

  /** The canonical values of the key of a row of the client, in key order. */
  valuesOf(row: ClientRow): PlanValue[] {
    return this.#fields.map((field) => {
      const value = row[field.descriptor.path];
      const present = fieldPresenter(field);
      return (present ? present(value) : value) as PlanValue;
    });
  }

  /** The `select` with the fields of the key added. */
  select(select: Select): Select {
    const paths = this.#fields.map(({ descriptor }) => [descriptor.path, true] as const);
    return { ...select, ...Object.fromEntries(paths) };
  }

  /** The rows in the order of the keys. Keys whose row has been deleted in the meantime are skipped. */
  inOrder(keys: readonly Row[], rows: readonly ClientRow[]): ClientRow[] {
    const found = new Map(rows.map((row) => [this.text(row, true), row]));
    return keys.flatMap((key): ClientRow[] => {
      const row = found.get(this.text(key, false));
      return row ? [row] : [];
    });
  }

  /** A text that is equal for equal keys, of a row of the client or of a presented key. */
  text(row: ClientRow, fromClient: boolean): string {
    const parts = this.#fields.map((field) => {
      const value = row[field.descriptor.path];
      const present = fromClient ? fieldPresenter(field) : null;
      return String(present ? present(value) : value);
    });
    return parts.length === 1 ? parts.join() : JSON.stringify(parts);
  }
}
