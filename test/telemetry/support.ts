/** The real OpenTelemetry SDK with exporters in memory, registered for a file of tests. */

import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

export interface Telemetry {
  /** The spans that have ended, oldest first, without those of other libraries. */
  spans(): readonly ReadableSpan[];
  reset(): void;
  /** The points of a gauge, read now. */
  points(name: string): Promise<readonly { value: number; attributes: object }[]>;
  close(): Promise<void>;
}

export function openTelemetry(more: readonly SpanProcessor[] = []): Telemetry {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [...more, new SimpleSpanProcessor(exporter)],
  });
  const reader = new PeriodicExportingMetricReader({
    // Cumulative points of the SDK outlive what they were observed of.
    exporter: new InMemoryMetricExporter(AggregationTemporality.DELTA),
    exportIntervalMillis: 2 ** 31 - 1,
  });
  const meters = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
  return {
    spans: () =>
      exporter.getFinishedSpans().filter(({ instrumentationScope: { name } }) => name === 'sluice'),
    reset: () => exporter.reset(),
    async points(name) {
      const { resourceMetrics, errors } = await reader.collect();
      if (errors.length > 0) throw errors[0];
      const all = resourceMetrics.scopeMetrics.flatMap((each) => each.metrics);
      const found = all.filter(({ descriptor }) => descriptor.name === name);
      return found.flatMap(({ dataPoints }) =>
        dataPoints.map(({ value, attributes }) => ({ value: Number(value), attributes })),
      );
    },
    async close() {
      trace.disable();
      metrics.disable();
      context.disable();
      await meters.shutdown();
      await provider.shutdown();
    },
  };
}
