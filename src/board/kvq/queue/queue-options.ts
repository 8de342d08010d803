/** Options of one queue on a `kvq` board. */

import { checkOptions, type OptionTableOf, type RefuseOption } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import type { VisibilityGuard } from '../../core/index.ts';
import type { ExternalJobUrl } from '../model/types.ts';

/** A zod schema of any version 4, by its structure. */
export interface ZodLike {
  /** Checks a value, and returns what is wrong instead of throwing it. */
  safeParse(value: unknown): {
    /** Whether the value fits. */
    readonly success: boolean;
    /** The problems of a value that does not fit. */
    readonly error?: {
      /** One entry for each problem. */
      readonly issues: readonly {
        /** Where in the value the problem is. */
        readonly path: readonly PropertyKey[];
      }[];
    };
  };
}

/** JSON Schema (draft 2020-12, 2019-09, 7, 6 or 4) as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Functions that replace parts of a job before it is shown, for example to redact them. Default: unchanged. */
export interface JobFormatters {
  /** Receives the data of the job. */
  readonly data?: (data: unknown) => unknown;
  /** Receives the value that the job returned. */
  readonly returnValue?: (value: unknown) => unknown;
  /** Receives the progress of the job. */
  readonly progress?: (progress: unknown) => unknown;
  /** Returns the name to show. Receives the whole job in the format of the library. */
  readonly name?: (job: Readonly<Record<string, unknown>>) => string;
}

/** The formatted parts of a job that a search reads. */
export type SearchablePart = 'data' | 'name';

/** Options of a queue on the board. */
export interface QueueOptions {
  /** Whether every write to the queue is refused (405). Default false. */
  readonly readOnly?: boolean;
  /** Alias of `readOnly`. */
  readonly readOnlyMode?: boolean;
  /** Whether failed jobs may be retried. Default true; always false on a read-only queue. */
  readonly allowRetries?: boolean;
  /**
   * Whether completed jobs may be retried. Default: `allowRetries`. Always false when the library cannot retry them.
   */
  readonly allowCompletedRetries?: boolean;
  /** Prefix of the name on the board; not the prefix of Redis keys. Default none. */
  readonly prefix?: string;
  /** Name shown by the dashboard. Default: the name on the board. */
  readonly displayName?: string;
  /** Text shown by the dashboard next to the name. Default none. */
  readonly description?: string;
  /** Separator of the parts of queue names for grouping, such as `.`. Default none. */
  readonly delimiter?: string;
  /** Returns the URL of a job outside the board. Receives the job in the format of the library. Default none. */
  readonly externalJobUrl?: (job: Readonly<Record<string, unknown>>) => ExternalJobUrl;
  /** Schema of job data: shown, and validated when a job is added through the board. Default: any data. */
  readonly jobDataSchema?: ZodLike | JsonSchema;
  /** Whether the sender of a request may see the queue. Default: always. A guard that throws fails the request. */
  readonly visibilityGuard?: VisibilityGuard;
  /** Functions that replace parts of a job before it is shown. Default none. */
  readonly formatters?: JobFormatters;
  /**
   * Parts that a search may read although a formatter replaces them: a search for a value tells that a job has it.
   * Default none.
   */
  readonly searchable?: readonly SearchablePart[];
}

/** The types of formatters. */
export const formatterTable = {
  data: option.func,
  returnValue: option.func,
  progress: option.func,
  name: option.func,
} satisfies OptionTableOf<JobFormatters>;

/** The types of queue options. */
export const queueOptionTable = {
  readOnly: option.boolean,
  readOnlyMode: option.boolean,
  allowRetries: option.boolean,
  allowCompletedRetries: option.boolean,
  prefix: option.string,
  displayName: option.string,
  description: option.string,
  delimiter: option.string,
  externalJobUrl: option.func,
  jobDataSchema: { ...option.plainObject, expected: 'a schema of zod 4 or a JSON Schema' },
  visibilityGuard: option.func,
  formatters: option.objectOf(formatterTable),
  searchable: option.listOf(option.oneOf('data', 'name')),
} satisfies OptionTableOf<QueueOptions>;

/** Checks options of a queue; `owner` and `refuse` as of `checkOptions`. */
export function checkQueueOptions(
  owner: string,
  options: QueueOptions | undefined,
  refuse: RefuseOption = (message) => new TypeError(message),
): void {
  checkOptions(owner, options, queueOptionTable, refuse);
  const { readOnly, readOnlyMode } = options ?? {};
  if (readOnly !== undefined && readOnlyMode !== undefined && readOnly !== readOnlyMode) {
    const name = 'readOnlyMode';
    throw refuse(`"readOnly" and "${name}" are one option and must not differ`, name, [name]);
  }
}
