/** Collects the refusals of a configuration, so that one error states all of them. */

import { QueryError, configurationError } from './query-error.ts';
import { knownNames } from '../lib/index.ts';
import type { SchemaRegistry } from './types.ts';

/** The refusals that one error states. */
const several = new WeakMap<QueryError, readonly QueryError[]>();

/** The refusals of one configuration. */
export class Refusals {
  readonly #found: QueryError[] = [];

  /** The result of the work; `undefined` if it refuses the configuration, which is kept. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      this.#found.push(...(several.get(error) ?? [error]));
      return undefined;
    }
  }

  /**
   * Throws if anything was refused.
   *
   * @throws {QueryError} the only refusal; or SOURCE_CONFIGURATION_INVALID with a line for each, and each of them in
   * `details.differences`
   */
  throwAll(): void {
    const [first, ...more] = this.#found;
    if (!first) return;
    if (more.length === 0) throw first;
    const messages = new Set(this.#found.map(({ message }) => message));
    const differences = this.#found.map(({ message, details }) => ({ ...details, message }));
    const all = configurationError([...messages].join('\n'), { differences });
    several.set(all, this.#found);
    throw all;
  }
}

export function unknownModel(model: string, tables: object, registry: SchemaRegistry) {
  const models = Object.keys(tables);
  const [missing, known] = models.includes(model) ? ['schema', registry.keys()] : ['table', models];
  return configurationError(
    `The source has no ${missing} for model "${model}"; it has ${knownNames(model, known)}.`,
    { model },
  );
}
