/** The schema of a queue's job data: as JSON Schema for display, and as a validator for jobs that are added. */

import * as z from 'zod';
import { $ZodType } from 'zod/v4/core';
import { compileSchema } from './json-schema.ts';
import type { JsonSchema, QueueOptions } from './queue-options.ts';

/** A schema in both forms. */
export interface DataSchema {
  readonly json: JsonSchema;
  /** The dotted path of the first invalid part, `null` when the data is valid. */
  failureIn(data: unknown): Promise<string | null>;
}

/** Without a schema, none is shown and all data is valid. */
const anything: DataSchema = { json: {}, failureIn: async () => null };

/**
 * Parses `jobDataSchema`.
 *
 * @throws {TypeError} when it is neither a zod 4 schema nor a JSON Schema
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

/** The path to the first invalid part of the data; `null` when it is valid. */
type DataCheck = (
  data: unknown,
) => Promise<readonly PropertyKey[] | null> | readonly PropertyKey[] | null;

/** Refinements of the host may be asynchronous. */
function checkOfZod(schema: $ZodType): DataCheck {
  return async (data) => {
    const { error } = await z.safeParseAsync(schema, data);
    return error ? (error.issues[0]?.path ?? []) : null;
  };
}

/** Accepts schemas of zod and zod mini, from any installed copy. */
const isZod = (given: unknown): given is $ZodType => given instanceof $ZodType;

const notUnderstood = '"jobDataSchema" must be a schema of zod 4 or a JSON Schema';

function toJson(schema: $ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

function fromJson(schema: object): DataCheck {
  const isPlain = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  // Schemas of other libraries, and of zod 3, have methods. As JSON Schemas they would accept everything.
  if (!isPlain || 'safeParse' in schema || '~standard' in schema) {
    throw new TypeError(notUnderstood);
  }
  try {
    return compileSchema(schema);
  } catch (error) {
    throw new TypeError(`${notUnderstood} (${String(error)})`, { cause: error });
  }
}
