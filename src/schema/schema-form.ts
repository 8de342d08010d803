/** Whether a schema has the form that its type says: hosts without a compiler learn it at boot. */

import { configurationError } from './query-error.ts';

type Form = { readonly [key: string]: unknown };

const isForm = (value: unknown): value is Form =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((member) => typeof member === 'string');

/** What a member must be, where the type alone says so. */
const fieldMembers = { nullable: 'boolean', primaryKey: 'boolean' } as const;
const relationMembers = { target: 'string', nullable: 'boolean' } as const;

/**
 * Refuses what is no schema at all, and parts that lack what they need.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID`
 */
export function assertSchemaForm(schema: unknown): void {
  if (!isForm(schema)) {
    throw configurationError('A schema is an object with model, primaryKey, fields and relations.');
  }
  const model = String(schema['model']);
  assertParts(model, 'fields', schema['fields'], fieldMembers);
  assertParts(model, 'relations', schema['relations'], relationMembers);
  for (const { path, enumValues } of schema['fields'] as readonly Form[]) {
    if (enumValues === undefined || isTextList(enumValues)) continue;
    throw configurationError(`${model}.${String(path)}: enumValues is a list of texts.`, { model });
  }
}

function assertParts(
  model: string,
  name: 'fields' | 'relations',
  parts: unknown,
  members: { readonly [member: string]: 'boolean' | 'string' },
): void {
  if (!Array.isArray(parts) || !parts.every(isForm)) {
    throw configurationError(`${model}: ${name} is a list of objects; write it as an array.`, {
      model,
    });
  }
  for (const part of parts as readonly Form[]) {
    for (const [member, type] of Object.entries(members)) {
      if (typeof part[member] === type) continue;
      const path = String(part['path']);
      throw configurationError(`${model}.${path}: it needs ${member}, a ${type}.`, { model, path });
    }
  }
}
