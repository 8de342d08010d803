/** The schema of a queue's job data: as JSON Schema to be shown, as a check for jobs that are added. */

import * as z from 'zod';
import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema, QueueOptions } from './queue-options.ts';

/** A schema in both its uses. */
export interface DataSchema {
  readonly json: JsonSchema;
  /** The dotted path of the first part that does not fit, `null` when all does. */
  failureIn(data: unknown): Promise<string | null>;
}

/** Without a schema, nothing is shown and everything fits. */
const anything: DataSchema = { json: {}, failureIn: async () => null };

/**
 * Reads `jobDataSchema`.
 *
 * @throws {TypeError} when it is neither a schema of zod 4 nor a JSON Schema
 */
export function dataSchemaOf(given: QueueOptions['jobDataSchema']): DataSchema {
  if (given === undefined) return anything;
  const check = isZod(given) ? checkOfZod(given) : fromJson(given);
  return {
    json: isZod(given) ? toJson(given) : { ...given },
    async failureIn(data) {
      const path = await check(data);
      return path && ['data', ...path].map(String).join('.');
    },
  };
}

/** The way to the first part of some data that does not fit; `null` when all does. */
type DataCheck = (
  data: unknown,
) => Promise<readonly PropertyKey[] | null> | readonly PropertyKey[] | null;

/** Refinements of the host may take their time: to look something up, for instance. */
function checkOfZod(schema: z.core.$ZodType): DataCheck {
  return async (data) => {
    const { error } = await z.safeParseAsync(schema, data);
    return error ? (error.issues[0]?.path ?? []) : null;
  };
}

/** Of zod itself or of its small edition, whichever copy of them made it. */
const isZod = (given: unknown): given is z.core.$ZodType => given instanceof z.core.$ZodType;

const notUnderstood = '"jobDataSchema" must be a schema of zod 4 or a JSON Schema';

function toJson(schema: z.core.$ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

function fromJson(schema: object): DataCheck {
  const isPlain = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  // Schemas of other libraries, and of zod 3, have methods; taken for JSON Schemas they would allow everything.
  if (!isPlain || 'safeParse' in schema || '~standard' in schema) {
    throw new TypeError(notUnderstood);
  }
  try {
    return compileSchema(schema);
  } catch (error) {
    throw new TypeError(notUnderstood, { cause: error });
  }
}
