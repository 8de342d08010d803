/** Typed paths within a json field: a value at a declared path is filtered like a field of its kind. */

import { configurationError } from './query-error.ts';
import type { FieldDescriptor, FieldKind, JsonPathKind, QuerySchema } from './types.ts';
import { fieldNamed } from './schema-lookup.ts';

const items = ['string', 'integer', 'bigint', 'decimal', 'boolean', 'date', 'datetime'] as const;

/** The kinds of values at a path. */
export const jsonPathKinds: readonly JsonPathKind[] = [
  ...items,
  ...items.map((item) => `${item}[]` as const),
];

/** Whether JSON holds arrays of a kind: its values have one form there. */
export const isHeldInJson = (kind: FieldKind): boolean =>
  kind === 'enum[]' || items.some((item) => kind === `${item}[]`);

/** Member names joined by dots; each a letter or underscore, then letters, digits and underscores. */
const pathForm = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*){0,15}$/;
/** Maximum length of a path. */
const maxLength = 200;

/** Whether a text is a path into JSON that schemas may declare. */
export function isJsonPath(text: string): boolean {
  return text.length <= maxLength && pathForm.test(text);
}

/**
 * Checks the declared paths of a field and returns a frozen copy.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the field is not of kind json, or a path has another form
 */
export function checkedPaths(
  model: string,
  { path, kind, paths = {} }: FieldDescriptor,
): NonNullable<FieldDescriptor['paths']> {
  const refuse = (message: string) =>
    configurationError(`${model}.${path}: ${message}`, { model, path });
  if (kind !== 'json') throw refuse('only json fields have "paths"; remove them.');
  for (const name of Object.keys(paths)) {
    if (isJsonPath(name)) continue;
    throw refuse(
      'a path of "paths" must be member names joined by dots, each a letter or underscore, then letters, digits and underscores; at most 16 names and 200 characters.',
    );
  }
  return Object.freeze({ ...paths });
}

/** Whether the field is a value within a json field: names of fields have no dots, and those of values over relations a `$`. */
export const isJsonMember = ({ path }: FieldDescriptor): boolean =>
  path.includes('.') && !path.includes('$');

const members = new WeakMap<FieldDescriptor, Map<string, FieldDescriptor>>();

/** The value at a declared path as a field, `data.customer.id`; `undefined` where the path is not declared. */
export function jsonMember(schema: QuerySchema, path: string): FieldDescriptor | undefined {
  const dot = path.indexOf('.');
  const field = dot < 0 ? undefined : fieldNamed(schema, path.slice(0, dot));
  const within = path.slice(dot + 1);
  const kind = field?.paths && Object.hasOwn(field.paths, within) ? field.paths[within] : undefined;
  if (!field || !kind) return undefined;
  let known = members.get(field);
  if (!known) members.set(field, (known = new Map()));
  let member = known.get(within);
  if (!member) {
    // A value may be missing, or of another type than the declared one.
    const { internal } = field;
    member = { path, kind, nullable: true, primaryKey: false, ...(internal && { internal }) };
    known.set(within, Object.freeze(member));
  }
  return member;
}
