/** Options of every board, independent of its engine. */

import * as option from '../../lib/option-rows.ts';
import { type OptionTableOf, type WithDefaults, withDefaults } from '../../lib/index.ts';
import { attentionTable } from './history/attention.ts';
import type { AttentionChange, AttentionOptions } from './history/attention.ts';
import { historyProviderRow } from './history/capabilities.ts';
import type { Deployments } from './history/deployments.ts';
import type { HistoryProvider } from './history/provider.ts';
import type { BoardEvent } from './events.ts';
import type { Fingerprint } from './inbox/fingerprint.ts';
import type { HandlerHooks } from './hooks.ts';
import type { LiveOptions } from './live/live.ts';
import type { ExporterOptions } from './exporter/exporter.ts';
import { uiTable, type BoardUi } from './page/ui-options.ts';
import type { TraceUrl } from './trace-url.ts';
import type { PermissionsOf } from './authority/permissions.ts';

/** Receives errors and warnings that clients do not see, for example `console`. */
export interface BoardLogger {
  /** Receives an error that responses do not reveal. */
  error(message: string, details?: unknown): void;
  /** Receives a warning. */
  warn(message: string, details?: unknown): void;
}

/** Options of a board. */
export interface BoardOptions {
  /** Functions around every API route: `before` may refuse a request, `after` may replace a response. Default none. */
  readonly handlerHooks?: HandlerHooks;
  /**
   * Tells the actions that the sender of a request may do; others respond with 403. Asked once per request, after
   * `handlerHooks.before`; a function that throws causes a 500 response. Default: all actions.
   */
  readonly permissions?: PermissionsOf | undefined;
  /**
   * Tells the address of the trace of a job, of http or https, for a link on the job. Receives the job without a change of
   * formatters; it is not asked where a formatter replaces the data. Default: no link.
   */
  readonly traceUrl?: TraceUrl | undefined;
  /**
   * Tells by what failed jobs are one error in `GET /api/errors`. Receives the job without a change of formatters; it is not
   * asked where a formatter replaces the data or the output. Default: the message without what differs from job to job.
   */
  readonly fingerprint?: Fingerprint | undefined;
  /** Told when a run over many jobs starts and ends. A function that fails is logged. Default none. */
  readonly onEvent?: ((event: BoardEvent) => unknown) | undefined;
  /**
   * Validates every response against its schema and responds with 500 if it does not match; for developing engines and
   * hooks. Default false.
   */
  readonly validateResponses?: boolean;
  /**
   * Whether the routes that write are omitted; they respond with 404. Default false. A queue of a `kvq` board has an
   * option of the same name.
   */
  readonly readOnly?: boolean;
  /** Whether the statistics of the datastore are hidden: `GET /api/kv/stats` responds with 403. Default false. */
  readonly hideKvDetails?: boolean;
  /** Whether responses include the workers of queues. Default true. */
  readonly showWorkers?: boolean;
  /** Appearance of the board. Default: title `Sluice`. */
  readonly ui?: BoardUi;
  /**
   * Whether error responses include message and stack of internal errors in `details`. For development. Default false.
   */
  readonly exposeErrors?: boolean;
  /** Receives errors and warnings that clients do not see. Default `console`. */
  readonly logger?: BoardLogger;
  /** Maximum size of a request body in bytes; a larger one is refused with 413. Default 8388608 (8 MiB). */
  readonly maxBodyBytes?: number;
  /**
   * Where the board reads the past of its queues: `metricsHistoryProvider` of `sluice/metrics`, or a provider of your
   * own. Its methods decide which of the routes under `/api/metrics/` are mounted. Default none.
   */
  readonly historyProvider?: HistoryProvider;
  /**
   * Thresholds of what `GET /api/attention` lists: failures, age of jobs, queues without workers, a silent recorder.
   * Default none; the route is then not mounted.
   */
  readonly attention?: AttentionOptions;
  /**
   * Told what has gone beyond the thresholds of `attention` and what is within them again, for a message to people. One
   * that throws or rejects is logged. Default none.
   */
  readonly onAttention?: (change: AttentionChange) => unknown;
  /**
   * Tells the deployments of the host from one moment to another: marks on the timelines of the dashboard, and
   * `GET /api/deployments`. Those who may read the history of any queue see them. Default none; the route is then not
   * mounted.
   */
  readonly deployments?: Deployments | undefined;
  /**
   * The exporter for Prometheus and OpenMetrics at `GET /metrics`, of the queues that the sender may see. Default off. A
   * browser, which accepts HTML, gets the dashboard's page of that path.
   */
  readonly exporter?: ExporterOptions | boolean;
  /**
   * Live updates at `GET /api/live`, or false for none. Default: on, except on a board with `handlerHooks.after`, which
   * sees answers and no events; dashboards then poll.
   */
  readonly live?: LiveOptions | boolean;
  /**
   * Whether OpenTelemetry, where the host has set it up, gets a span of each request to the API and the observable gauge
   * `sluice.queue.jobs`, which reads all queues at once whenever the host's reader collects. Default true.
   */
  readonly telemetry?: boolean;
  /** Milliseconds that `close()` waits for pending requests before it aborts them. Default 3000. */
  readonly closeGraceMs?: number;
}

/** The types of the options; checked by `createBoard`. */
export const boardOptionTable = {
  handlerHooks: option.objectOf({
    before: option.func,
    after: option.func,
  } satisfies OptionTableOf<HandlerHooks>),
  permissions: option.func,
  traceUrl: option.func,
  fingerprint: option.func,
  onEvent: option.func,
  validateResponses: option.boolean,
  readOnly: option.boolean,
  hideKvDetails: option.boolean,
  showWorkers: option.boolean,
  ui: option.objectOf(uiTable),
  exposeErrors: option.boolean,
  logger: option.withMethods('a logger with the methods error and warn', 'error', 'warn'),
  maxBodyBytes: option.wholeNumber(0),
  exporter: option.either(
    option.boolean,
    option.objectOf({
      bullmqNames: option.boolean,
      collect: option.func,
    } satisfies OptionTableOf<ExporterOptions>),
  ),
  live: option.either(
    option.boolean,
    option.objectOf({
      intervalMs: option.wholeNumber(100, 2 ** 31 - 1),
      recheckMs: option.wholeNumber(100, 2 ** 31 - 1),
      heartbeatMs: option.wholeNumber(100, 2 ** 31 - 1),
    } satisfies OptionTableOf<LiveOptions>),
  ),
  telemetry: option.boolean,
  closeGraceMs: option.wholeNumber(0, 2 ** 31 - 1),
  historyProvider: historyProviderRow,
  attention: option.objectOf(attentionTable),
  onAttention: option.func,
  deployments: option.func,
  uiConfig: option.removed('is called "ui"'),
  metrics: option.removed('is called "exporter"'),
} satisfies OptionTableOf<BoardOptions, 'metrics' | 'uiConfig'>;

const defaults = {
  handlerHooks: {},
  validateResponses: false,
  readOnly: false,
  hideKvDetails: false,
  showWorkers: true,
  ui: {},
  exposeErrors: false,
  logger: console,
  maxBodyBytes: 8 * 1024 * 1024,
  exporter: false,
  telemetry: true,
  closeGraceMs: 3000,
} satisfies BoardOptions;

/** The options with their defaults. */
export type ResolvedOptions = WithDefaults<BoardOptions, typeof defaults & { live: boolean }>;

/** Fills in defaults. */
export const resolveOptions = (options: BoardOptions = {}): ResolvedOptions =>
  withDefaults(options, { ...defaults, live: options.handlerHooks?.after === undefined });
