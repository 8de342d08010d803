/** Validates the parts of requests, and responses, against their schemas; parses query strings within limits. */

import * as z from 'zod';

import { parseTranslationKey, validationOptions } from '../../contract/index.ts';
import type { ErrorKey, Route } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import { queryLength } from '../../../lib/index.ts';

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

/** A parsed query string, or the reason why it is invalid. */
type ParsedQuery = Readonly<Record<string, string | readonly string[]>>;

const maxLength = 16_384;
const maxValues = 256;

/** Undefined when the query string is too long, has too many values or is not UTF-8. */
export function parseQuery(raw: string): ParsedQuery | undefined {
  // No prototype, so that `__proto__` is an ordinary name.
  const query: Record<string, string | string[]> = Object.create(null);
  if (raw === '') return query;
  if (raw.length > maxLength && queryLength(raw) > maxLength) return undefined;
  const pairs = raw.split('&', maxValues + 1).filter((pair) => pair !== '');
  if (pairs.length > maxValues) return undefined;
  try {
    for (const pair of pairs) {
      const mark = pair.indexOf('=');
      const name = decode(mark < 0 ? pair : pair.slice(0, mark));
      const value = mark < 0 ? '' : decode(pair.slice(mark + 1));
      const before = query[name];
      if (before === undefined) query[name] = value;
      else if (typeof before === 'string') query[name] = [before, value];
      else before.push(value);
    }
  } catch {
    return undefined;
  }
  return query;
}

/** Whether the name belongs to the filters of the list grammar. */
export function isFilterParam(name: string): boolean {
  return name === 'filter' || name.startsWith('filter[') || name.startsWith('filter.');
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Serializes a query to a query string. */
export function queryText(query: unknown): string {
  const text = new URLSearchParams();
  if (typeof query !== 'object' || query === null) return '';
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) text.append(name, String(one));
    }
  }
  return text.toString();
}

/** The query without empty values, which count as omitted. */
export function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    if (value !== '') kept[name] = value;
  }
  return kept;
}
