/** The address of the trace of a job, which a function of the host tells. */

import type { HostFunctions } from './host-functions.ts';

/** A job whose trace is asked for. */
export interface TracedJob {
  /** Name of the queue on the board. */
  readonly queueName: string;
  /** Id of the job within its queue. */
  readonly id: string;
  /** Name of the job; absent where the library has none. */
  readonly name?: string | undefined;
  /** Data of the job as it is stored. */
  readonly data: unknown;
}

/** Tells the address of the trace of a job, of http or https; nothing for a job without one. */
export type TraceUrl = (job: TracedJob) => string | null | undefined;

/**
 * Whether a value is an address of http or https: a browser would run the text of a `javascript:` address.
 *
 * @param base that of relative addresses, of which only the protocol counts; without it they are refused
 */
export const isWebAddress = (value: unknown, base?: string): value is string =>
  typeof value === 'string' &&
  URL.canParse(value, base) &&
  ['http:', 'https:'].includes(new URL(value, base).protocol);

/** The member of a job to spread: its address, or nothing where there is none or the function fails. */
export function tracedBy(
  traceUrl: TraceUrl | undefined,
  job: TracedJob,
  host: HostFunctions,
): { readonly traceUrl?: string } {
  // A function may change what it receives.
  const work = () => traceUrl?.({ ...job, data: structuredClone(job.data) });
  const url = traceUrl && host.run('traceUrl', work);
  if (url === undefined || url === null) return {};
  if (isWebAddress(url)) return { traceUrl: url };
  host.fail('traceUrl', new TypeError('"traceUrl" must return an address of http or https'));
  return {};
}
