/** A queue on the board: the capabilities of its library, restricted by the options of the host. */

import { checkOptions } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import { dataSchemaOf, type DataSchema } from './data-schema.ts';
import type { QueueDriver } from '../model/driver.ts';
import type { VisibilityGuard } from '../../core/index.ts';
import { formatterTable } from './queue-options.ts';
import type { JobFormatters, QueueOptions, SearchablePart } from './queue-options.ts';
import type { Status } from '../model/types.ts';

/** Created by `bullmqQueue`, `bullQueue`, `bullmqProQueue` and `customQueue`; passed to a board in `queues`. */
export class BoardQueue {
  /** The name on the board: the prefix followed by the name of the queue. */
  readonly name: string;
  /** Reads and writes the queue through its library. */
  readonly driver: QueueDriver;
  /** The options that the queue was made with. */
  readonly options: QueueOptions;
  /** Whether every write is refused. */
  readonly readOnly: boolean;
  /** Whether failed jobs may be retried. */
  readonly allowRetries: boolean;
  /** Whether completed jobs may be retried. */
  readonly allowCompletedRetries: boolean;
  /** States in which the queue lists jobs, in the order of the dashboard. */
  readonly statuses: readonly Status[];
  /** Schema of the data of new and edited jobs; empty without one. */
  readonly dataSchema: DataSchema;
  readonly #formatters: { -readonly [Field in keyof JobFormatters]: JobFormatters[Field] };
  #guard: VisibilityGuard | undefined;

  constructor(driver: QueueDriver, options: QueueOptions = {}) {
    const { allowRetries = true } = options;
    this.driver = driver;
    this.options = options;
    this.name = `${options.prefix ?? ''}${driver.name}`;
    // No address holds such a name.
    if (this.name === '' || this.name.includes('\0') || !this.name.isWellFormed()) {
      throw new TypeError('The name of a queue must not be empty, and must be text without NUL');
    }
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

  /** Functions that change what the board shows of jobs. */
  get formatters(): JobFormatters {
    return this.#formatters;
  }

  /** Whether a search may read the part: a formatter that replaces it would otherwise hide nothing. */
  isSearchable(part: SearchablePart): boolean {
    return !this.#formatters[part] || this.options.searchable?.includes(part) === true;
  }

  /** Decides for each request whether it sees the queue; undefined where every request does. */
  get visibilityGuard(): VisibilityGuard | undefined {
    return this.#guard;
  }

  /**
   * Replaces a part of every job before it is shown. The formatter of the name receives the whole job.
   *
   * @throws {TypeError} when the part is unknown, or the formatter is not a function
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
   * Replaces the visibility guard of the queue.
   *
   * @throws {TypeError} when the guard is not a function
   */
  setVisibilityGuard(guard: VisibilityGuard): this {
    checkOptions('setVisibilityGuard', { guard }, { guard: option.required(option.func) });
    this.#guard = guard;
    return this;
  }
}
