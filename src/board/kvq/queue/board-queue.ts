/** A queue on the board: what its library can do, within what the host allows. */

import { dataSchemaOf } from './data-schema.ts';
import type { DataSchema } from './data-schema.ts';
import type { QueueDriver } from '../model/driver.ts';
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
    const { readOnlyMode, allowRetries = true } = options;
    this.driver = driver;
    this.options = options;
    this.name = `${options.prefix ?? ''}${driver.name}`;
    this.readOnly = readOnlyMode === true;
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

  /** Replaces a part of every job that is shown. The formatter of the name receives the whole job. */
  setFormatter<Field extends keyof JobFormatters>(
    field: Field,
    formatter: NonNullable<JobFormatters[Field]>,
  ): this {
    this.#formatters[field] = formatter;
    return this;
  }

  /** Decides who may see the queue. */
  setVisibilityGuard(guard: QueueVisibilityGuard): this {
    this.#guard = guard;
    return this;
  }
}
