/** Validates the parts of requests, and responses, against their schemas. */

import * as z from 'zod';

import { parseTranslationKey, validationOptions } from '../../contract/index.ts';
import type { ErrorKey, Route } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import { isFilterParam } from './query-string.ts';

type Part = 'query' | 'body';

const generalKeys: Readonly<Record<Part, ErrorKey>> = {
  query: 'INVALID_QUERY_PARAM',
  body: 'INVALID_REQUEST_BODY',
};

/** The code of every error for a request that does not match its schema. */
const invalidRequest = 'INVALID_REQUEST';

/** The general error for a part of a request; it names the field and never its value. */
export function invalidPart(
  part: Part,
  field: string,
  params: { status?: number } = {},
): BoardError {
  return new BoardError(generalKeys[part], {
    ...params,
    options: { field },
    code: invalidRequest,
  });
}

/** Maximum length of a parameter's name in a response. */
const maxNameLength = 100;

/**
 * Refuses parameters that the route does not name, by their name: a misspelled condition must not be taken for none.
 */
export function refuseUnknown(
  { query: schema, filters, jsonFilters }: Route,
  query: unknown,
): void {
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  for (const name of Object.keys(Object(query))) {
    // Clients add `_` against caches.
    if (name === '_' || Object.hasOwn(known, name) || (filters && isFilterParam(name))) continue;
    if (jsonFilters?.some((field) => name.startsWith(`${field}.`))) continue;
    throw invalidPart('query', name.slice(0, maxNameLength));
  }
}

/** The validated and coerced value; throws a `BoardError` for the first issue, with its key if it has one. */
export function validatePart(part: Part, schema: z.core.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const { issues } = result.error;
  for (const { message } of issues) {
    const key = message.startsWith('ERRORS.') ? parseTranslationKey(message) : undefined;
    if (!key) continue;
    const options = validationOptions[key];
    throw new BoardError(key, { code: invalidRequest, ...(options && { options }) });
  }
  throw invalidPart(part, fieldOf(issues[0]) || part);
}

/** Maximum length of a field in a response. */
const maxFieldLength = 100;

/** The path of an issue; for a member that is unknown, with its name. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string | undefined {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return issue && [...issue.path, ...unknown].join('.').slice(0, maxFieldLength);
}

/** Throws when a response body does not match its schema. */
export function validateResponse(operation: string, schema: z.core.$ZodType, body: unknown): void {
  const result = z.safeParse(schema, body);
  if (result.success) return;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'body';
  throw new BoardError('INTERNAL_SERVER_ERROR', {
    code: 'RESPONSE_SCHEMA_MISMATCH',
    details: `${operation}: ${where}: ${issue?.message ?? 'does not match'}`,
  });
}
