/** Reads rows that SQL has selected through the client, where the host has changed what the client returns. */

import type { ProjectionNode, Row } from '../../rules/index.ts';
import type { ClientRow, PrismaArgs } from './client.ts';
import { fieldAt, modelNamed } from './describe/client-model.ts';
import type { PrismaContext } from './context.ts';
import { ModelKey, fieldPresenter } from './keys.ts';
import { assertQuoted } from './describe/quoted-names.ts';

/** Runs `findMany` on a model. */
export type FindMany = (model: string, args: PrismaArgs) => Promise<readonly ClientRow[]>;

/** The rows of one plan. */
export class ClientRows {
  readonly #context: PrismaContext;
  /** Fields of a model that result extensions compute. */
  readonly #computed: (model: string) => ReadonlySet<string>;
  /** The node that the client reads whether it computes fields or not. */
  readonly #root: ProjectionNode | null;

  constructor(
    context: PrismaContext,
    computed: (model: string) => ReadonlySet<string>,
    root: ProjectionNode | null,
  ) {
    this.#context = context;
    this.#computed = computed;
    this.#root = root;
  }

  #isRead(node: ProjectionNode): boolean {
    const computed = this.#computed(node.model);
    return node === this.#root || node.fields.some((path) => computed.has(path));
  }

  /** The projection for SQL, with the keys of the rows that the client reads. */
  withKeys(node: ProjectionNode): ProjectionNode {
    const relations = node.relations.map((relation) => ({
      ...relation,
      node: this.withKeys(relation.node),
    }));
    if (!this.#isRead(node)) return { ...node, relations };
    assertQuoted(this.#context, node.model, node.fields);
    const { primaryKey } = modelNamed(this.#context.models, node.model);
    return { ...node, fields: [...new Set([...node.fields, ...primaryKey])], relations };
  }

  /** Fills rows of SQL with the values of the client; returns those that have not been deleted in the meantime. */
  async filled(node: ProjectionNode, rows: readonly Row[], find: FindMany): Promise<Row[]> {
    for (const { path, node: inner } of node.relations) {
      const related = new Set(rows.flatMap((row) => [row[path] ?? []].flat() as Row[]));
      const kept = new Set(await this.filled(inner, [...related], find));
      for (const row of rows) {
        const value = row[path] as Row | Row[] | null;
        if (Array.isArray(value)) row[path] = value.filter((each) => kept.has(each));
        else if (value && !kept.has(value)) row[path] = null;
      }
    }
    return this.#isRead(node) ? this.#read(node, rows, find) : [...rows];
  }

  async #read(node: ProjectionNode, rows: readonly Row[], find: FindMany): Promise<Row[]> {
    const { family, models } = this.#context;
    const model = modelNamed(models, node.model);
    const key = new ModelKey(family, model);
    const computed = this.#computed(node.model);
    // The client does not know fields that SQL computes.
    const paths = node.fields.filter((path) => model.fields.has(path));
    const fields = paths.map((path) => [path, fieldPresenter(fieldAt(model, path))] as const);
    const added = key.paths.filter((path) => !node.fields.includes(path));
    const select = Object.fromEntries([...paths, ...key.paths].map((path) => [path, true]));
    const byKey = Map.groupBy(rows, (row) => key.text(row));
    const keys = [...byKey];
    const found = new Set<Row>();
    // Rows whose stored keys the client does not return are found one by one, as they cannot be matched to the keys.
    const isOpaque = key.paths.some((path) => computed.has(path));
    const size = isOpaque ? 1 : key.perQuery;
    for (let at = 0; at < keys.length; at += size) {
      const part = keys.slice(at, at + size);
      const where = key.where(part.flatMap(([, same]) => same.slice(0, 1)));
      for (const each of await find(node.model, { where, select })) {
        const text = isOpaque ? part[0]?.[0] : key.text(key.read(each));
        for (const row of byKey.get(text ?? '') ?? []) {
          for (const [path, present] of fields) {
            const value = each[path] ?? null;
            row[path] = value === null || !present ? value : present(value);
          }
          for (const path of added) Reflect.deleteProperty(row, path);
          found.add(row);
        }
      }
    }
    return rows.filter((row) => found.has(row));
  }
}
