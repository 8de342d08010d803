/**
 * Spans and gauges for OpenTelemetry, where the host has set it up. The host's `@opentelemetry/api` puts its providers
 * at a symbol that all copies and minor versions of the package share; they are found there, so that nothing is imported
 * or looked for on disk, and a process without OpenTelemetry pays one property read per request. A provider that throws
 * never changes an answer.
 */

import { providersOf } from './foreign.ts';

/** Values of attributes; never a text that a client has sent. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** Reports to a span while its work runs. */
export interface WorkSpan {
  set(attributes: TelemetryAttributes): void;
  /** Marks the work as failed by the server; `type` is a code or the name of a class. */
  fail(type: string): void;
}

/** The part of a span that is used. */
interface ApiSpan {
  setAttributes(attributes: TelemetryAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

interface Tracer {
  startActiveSpan(
    name: string,
    options: { kind: number; attributes: TelemetryAttributes },
    work: (span: ApiSpan) => unknown,
  ): unknown;
}

/** Takes the values of an observable gauge. */
export interface GaugeResult {
  observe(value: number, attributes: TelemetryAttributes): void;
}

type ReadGauge = (result: GaugeResult) => Promise<void>;

interface Gauge {
  addCallback(read: ReadGauge): void;
  removeCallback(read: ReadGauge): void;
}

interface Meter {
  createObservableGauge(name: string, options: { description: string; unit: string }): Gauge;
}

/** The providers of the host, as version 1 of `@opentelemetry/api` registers them. */
interface Providers {
  readonly trace?: { getTracer(name: string): Tracer };
  readonly metrics?: { getMeter(name: string): Meter };
}

const scope = 'sluice';
/** Kind and code of `@opentelemetry/api`: work inside of the process, and a failure. */
const internalKind = 0;
const errorCode = 2;

const providers = (): Providers | undefined => providersOf(globalThis);

/** Does what the host's telemetry may fail at. */
function tried(work: () => unknown): void {
  try {
    work();
  } catch {
    // An answer does not depend on whether it is observed.
  }
}

const unobserved: WorkSpan = { set: () => undefined, fail: () => undefined };

class Observed implements WorkSpan {
  readonly #span: ApiSpan;

  constructor(span: ApiSpan) {
    this.#span = span;
  }

  set(attributes: TelemetryAttributes): void {
    tried(() => this.#span.setAttributes(attributes));
  }

  fail(type: string): void {
    this.set({ 'error.type': type });
    tried(() => this.#span.setStatus({ code: errorCode }));
  }

  end(): void {
    tried(() => this.#span.end());
  }
}

/**
 * Runs work in a span, which is the active one meanwhile, so that spans of a driver's instrumentation are its children.
 * The span ends when the work settles; it is the work that tells of a failure.
 */
export function inSpan<Result>(
  name: string,
  attributes: TelemetryAttributes,
  work: (span: WorkSpan) => Promise<Result>,
): Promise<Result> {
  const trace = providers()?.trace;
  if (!trace) return work(unobserved);
  let running: Promise<Result> | undefined;
  tried(() =>
    trace.getTracer(scope).startActiveSpan(name, { kind: internalKind, attributes }, (span) => {
      const observed = new Observed(span);
      running ??= work(observed).finally(() => observed.end());
      return undefined;
    }),
  );
  return running ?? work(unobserved);
}

/** Whether spans are taken at present. */
export const isTraced = (): boolean => providers()?.trace !== undefined;

/** Registers an observable gauge; the returned function ends it. A read that rejects gives no values. */
export function observeGauge(
  name: string,
  options: { readonly description: string; readonly unit: string },
  read: ReadGauge,
): () => void {
  let gauge: Gauge | undefined;
  tried(() => {
    gauge = providers()?.metrics?.getMeter(scope).createObservableGauge(name, options);
    gauge?.addCallback(read);
  });
  return () => tried(() => gauge?.removeCallback(read));
}
