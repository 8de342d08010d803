/** What a host says about one of its queues. */

import type { HookRequest } from '../../core/index.ts';
import type { ExternalJobUrl } from '../model/types.ts';

/** A zod schema, by its shape: any version of zod 4 will do. */
export interface ZodLike {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };
  };
}

/** JSON Schema (draft 2020-12, 7 or 4), as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What may replace parts of a job before anybody sees it, for redaction for instance. */
export interface JobFormatters {
  /** Receives the data of the job. */
  readonly data?: (data: unknown) => unknown;
  readonly returnValue?: (value: unknown) => unknown;
  readonly progress?: (progress: unknown) => unknown;
  /** Receives the whole job as the library gives it. */
  readonly name?: (job: Readonly<Record<string, unknown>>) => string;
}

/** Says whether the sender of a request may see the queue. */
export type QueueVisibilityGuard = (request: HookRequest) => boolean | Promise<boolean>;

/** Options of a queue on the board. */
export interface QueueOptions {
  /** Refuses every write. Default false; only `true` turns it on. */
  readonly readOnlyMode?: boolean;
  /** Default true; false on a read-only queue. */
  readonly allowRetries?: boolean;
  /** Default: as `allowRetries`. Always false where the library cannot retry completed jobs. */
  readonly allowCompletedRetries?: boolean;
  /** Stands before the name on the board. Not the prefix of keys. Default none. */
  readonly prefix?: string;
  readonly displayName?: string;
  readonly description?: string;
  /** What groups of queues are told apart by in names, `.` for instance. Default none. */
  readonly delimiter?: string;
  /** Where a job is shown outside the board. Receives the job as the library gives it. */
  readonly externalJobUrl?: (job: Readonly<Record<string, unknown>>) => ExternalJobUrl;
  /** What the data of jobs looks like: shown, and checked when a job is added through the board. */
  readonly jobDataSchema?: ZodLike | JsonSchema;
  /** Default: everybody may. A guard that throws hides nothing: the request fails. */
  readonly visibilityGuard?: QueueVisibilityGuard;
  readonly formatters?: JobFormatters;
}
