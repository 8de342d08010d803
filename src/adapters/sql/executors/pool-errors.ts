/** Classifies the errors of the pools of Knex and Kysely, which have no code and are the same for every driver. */

import { ClassifiedError, type ErrorClass } from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

const classes: readonly (readonly [RegExp, ErrorClass])[] = [
  [/^Knex: Timeout acquiring a connection/, 'timeout'],
  [/^Unable to acquire a connection/, 'away'],
  [/^driver has already been destroyed/, 'away'],
];

function classified(error: unknown): never {
  const message = error instanceof Error ? error.message : '';
  const found = classes.find(([pattern]) => pattern.test(message));
  throw found ? new ClassifiedError(found[1], error) : error;
}

/** The executor of a library with a pool of its own, with classified errors. */
export function withPoolErrors(executor: SqlExecutor): SqlExecutor {
  return {
    ...executor,
    run: async (statement, values, stop) => {
      try {
        return await executor.run(statement, values, stop);
      } catch (error) {
        return classified(error);
      }
    },
    transaction: (body, timeoutMs) => executor.transaction(body, timeoutMs).catch(classified),
  };
}
