/** The schema of a queue's job data: as JSON Schema to be shown, as a check for jobs that are added. */

import * as z from 'zod';
import type { JsonSchema, QueueOptions } from './queue-options.ts';

/** A schema in both its uses. */
export interface DataSchema {
  readonly json: JsonSchema;
  /** The dotted path of the first part that does not fit, `null` when all does. */
  failureIn(data: unknown): string | null;
}

/** Without a schema, nothing is shown and everything fits. */
const anything: DataSchema = { json: {}, failureIn: () => null };

/** Reads `jobDataSchema`; throws a `TypeError` when it is neither a zod schema nor a JSON Schema. */
export function dataSchemaOf(given: QueueOptions['jobDataSchema']): DataSchema {
  if (given === undefined) return anything;
  const schema = given instanceof z.ZodType ? given : fromJson(given);
  return {
    json: given instanceof z.ZodType ? toJson(given) : { ...given },
    failureIn(data) {
      const { error } = schema.safeParse(data);
      return error ? ['data', ...(error.issues[0]?.path ?? [])].map(String).join('.') : null;
    },
  };
}

function toJson(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

function fromJson(schema: object): z.ZodType {
  try {
    return z.fromJSONSchema({ ...schema });
  } catch (error) {
    throw new TypeError('Queue option "jobDataSchema" is no schema the board can check', {
      cause: error,
    });
  }
}
