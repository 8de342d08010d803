/** Checks the parts of a request against their schemas, and answers against theirs. */

import * as z from 'zod';

import { parseTranslationKey, validationOptions } from '../../contract/index.ts';
import type { ErrorKey } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';

type Part = 'query' | 'body';

const generalKeys: Readonly<Record<Part, ErrorKey>> = {
  query: 'INVALID_QUERY_PARAM',
  body: 'INVALID_REQUEST_BODY',
};

/** Every refusal of a request that does not fit its schema carries this code. */
const invalidRequest = 'INVALID_REQUEST';

/** The general refusal of a part of a request; it names the field and never its value. */
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

/** The checked and coerced value, or a thrown `BoardError` of the first issue that has a key of its own. */
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
  throw invalidPart(part, issues[0]?.path.join('.') || part);
}

/** Throws when the body of an answer does not fit its schema. */
export function validateResponse(operation: string, schema: z.core.$ZodType, body: unknown): void {
  const result = z.safeParse(schema, body);
  if (result.success) return;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'body';
  throw new BoardError('INTERNAL_SERVER_ERROR', {
    code: 'RESPONSE_SCHEMA_MISMATCH',
    details: `${operation}: ${where}: ${issue?.message ?? 'does not fit'}`,
  });
}
