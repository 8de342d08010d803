/** A queue on the board: the abilities of its library, within the options of the host. */

import { checkOptions } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import { dataSchemaOf } from './data-schema.ts';
import type { DataSchema } from './data-schema.ts';
import type { QueueDriver } from '../model/driver.ts';
import { formatterTable } from './queue-options.ts';
import type { JobFormatters, QueueOptions, QueueVisibilityGuard } from './queue-options.ts';
import type { Status } from '../model/types.ts';

/** Made by `bullmqQueue`, `bullQueue` and `bullmqProQueue`; put on a board by its `queues`. */
export class BoardQueue {
  /** The name on the board: the prefix and the queue's own. */
  readonly name: string;
  readonly driver: QueueDriver;
  readonly options: QueueOptions;
  readonly readOnly: boolean;
  readonly allowRetries: boolean;
  readonly allowCompletedRetries: boolean;
  readonly statuses: readonly Status[];
  readonly dataSchema: DataSchema;
  readonly #formatters: { -readonly [Field in keyof JobFormatters]: JobFormatters[Field] };
  #guard: QueueVisibilityGuard | undefined;

  constructor(driver: QueueDriver, options: QueueOptions = {}) {
    const { allowRetries = true } = options;
    this.driver = driver;
    this.options = options;
    this.name = `${options.prefix ?? ''}${driver.name}`;
    this.readOnly = options.readOnly ?? options.readOnlyMode ?? false;
    this.allowRetries = allowRetries && !this.readOnly;
    this.allowCompletedRetries =
      this.allowRetries &&
      (options.allowCompletedRetries ?? true) &&
      driver.capabilities.completedRetry;
    this.statuses = ['latest', ...driver.statuses];
    this.dataSchema = dataSchemaOf(options.jobDataSchema);
    this.#formatters = { ...options.formatters };
    this.#guard = options.visibilityGuard;
  }

  get formatters(): JobFormatters {
    return this.#formatters;
  }

  get visibilityGuard(): QueueVisibilityGuard | undefined {
    return this.#guard;
  }

  /**
   * Replaces a part of every job that is shown. The formatter of the name receives the whole job.
   *
   * @throws {TypeError} when there is no such part, or the formatter is not a function
   */
  setFormatter<Field extends keyof JobFormatters>(
    field: Field,
    formatter: NonNullable<JobFormatters[Field]>,
  ): this {
    checkOptions('setFormatter', { [field]: formatter }, formatterTable);
    this.#formatters[field] = formatter;
    return this;
  }

  /**
   * Replaces the guard of the queue.
   *
   * @throws {TypeError} when it is not a function
   */
  setVisibilityGuard(guard: QueueVisibilityGuard): this {
    checkOptions('setVisibilityGuard', { guard }, { guard: option.required(option.func) });
    this.#guard = guard;
    return this;
  }
}
