/** The primary key of a model in the client's terms: the client finds rows by it, and says which rows it has found. */

import { presentJsonArray, uuidBytes, uuidText } from '../../relational/index.ts';
import {
  type DatabaseFamily,
  type PlanValue,
  type ResolvedPath,
  type ResolvedPredicate,
  type Row,
  operatorRow,
  resolvedCondition,
  resolvedTarget,
} from '../../rules/index.ts';
import { type SchemaRegistry, configurationError, kindRow } from '../../schema/index.ts';
import type { ClientRow } from './client.ts';
import { type ClientField, type ClientModel, fieldAt, isFiner } from './describe/client-model.ts';
import { doubleDigits, clientBehaviour } from './client-behaviour.ts';

/** A `where` of any model. */
export interface Where {
  readonly [name: string]: unknown;
}

type Present = (value: unknown) => unknown;

/** Converts a field's value to its presented form; `null` where the client returns that form. */
export function fieldPresenter({ type, descriptor, shownMembers }: ClientField): Present | null {
  const { kind } = descriptor;
  const { items } = kindRow(kind);
  if (shownMembers) {
    const shown = (value: unknown): unknown => shownMembers.get(String(value)) ?? value;
    return (value) => (Array.isArray(value) ? value.map(shown) : shown(value));
  }
  if (items && type === 'Json') return presentJsonArray(items);
  if (type === 'Boolean' || (type === 'Int' && kind === 'integer')) return null;
  if (type === 'String' && kind === 'string') return null;
  if (type === 'Bytes' && kind === 'uuid') return uuidText;
  return kindRow(kind).present;
}

/** The key of a model. */
export class ModelKey {
  readonly paths: readonly string[];
  /** Largest number of keys that one query can list. */
  readonly perQuery: number;
  readonly #model: string;
  readonly #fields: readonly ClientField[];

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client cannot bind a key exactly */
  constructor(family: DatabaseFamily, model: ClientModel) {
    const { name, primaryKey } = model;
    this.paths = primaryKey;
    this.perQuery = Math.floor(clientBehaviour[family].maxParameters / primaryKey.length);
    this.#model = name;
    this.#fields = primaryKey.map((path) => fieldAt(model, path));
    for (const field of this.#fields) {
      if (isExact(field)) continue;
      const { path } = field.descriptor;
      throw configurationError(
        `${name}.${path}: the Prisma client does not read or bind this key exactly, so that rows cannot be found by it.`,
        { model: name, path },
      );
    }
  }

  /** The key of a row of the client in presented form. */
  read(row: ClientRow): Row {
    const parts = this.#fields.map((field): [string, unknown] => {
      const { path } = field.descriptor;
      const present = fieldPresenter(field);
      return [path, present ? present(row[path]) : row[path]];
    });
    return Object.fromEntries(parts);
  }

  /** A text that is equal for equal keys in presented form. */
  text(key: Row): string {
    return JSON.stringify(this.paths.map((path) => String(key[path])));
  }

  /** The rows with these keys, for the client. */
  where(keys: readonly Row[]): Where {
    const tuples = keys.map((key) =>
      Object.fromEntries(
        this.#fields.map((field) => {
          const { path } = field.descriptor;
          return [path, clientValue(field, key[path] as PlanValue)];
        }),
      ),
    );
    const [path = '', ...more] = this.paths;
    return more.length > 0 ? { OR: tuples } : { [path]: { in: tuples.map((key) => key[path]) } };
  }

  /** The rows with these keys, for a plan. */
  predicate(registry: SchemaRegistry, keys: readonly Row[]): ResolvedPredicate {
    const targets = this.paths.map((path) => {
      // The constructor has found every field of the key.
      const target = resolvedTarget(registry, this.#model, path) as ResolvedPath;
      return [path, target] as const;
    });
    const [only, ...more] = targets;
    if (only && more.length === 0) {
      const [path, target] = only;
      const values = keys.map((key) => key[path] as PlanValue);
      return resolvedCondition(target, operatorRow('in'), values);
    }
    return {
      type: 'or',
      predicates: keys.map((key) => ({
        type: 'and',
        predicates: targets.map(([part, each]) =>
          resolvedCondition(each, operatorRow('eq'), key[part] as PlanValue),
        ),
      })),
    };
  }
}

/** Whether the client reads and binds every value of a key: it rounds instants, and compares some decimals as doubles. */
function isExact(field: ClientField): boolean {
  if (field.type === 'Decimal') {
    const { exactDecimals, decimalDigits } = clientBehaviour[field.family];
    const [, precision = decimalDigits] = /\((\d+)/.exec(field.sqlType) ?? [];
    return exactDecimals || Number(precision) <= doubleDigits;
  }
  return field.type !== 'Float' && !isFiner(field);
}

/** A value in presented form as the client takes it. */
function clientValue({ type, memberNames }: ClientField, value: PlanValue): unknown {
  switch (type) {
    case 'Int':
      return Number(value);
    case 'BigInt':
      return BigInt(String(value));
    case 'Decimal':
      return String(value);
    case 'DateTime':
      return new Date(String(value));
    case 'Bytes':
      // Bytes of other kinds have no order, so that no key holds them.
      return uuidBytes(value);
    default:
      return memberNames?.get(String(value)) ?? value;
  }
}
