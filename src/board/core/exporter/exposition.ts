/** The text formats of monitoring systems: Prometheus 0.0.4 and OpenMetrics 1.0. */

import { acceptedWeights } from '../../../lib/index.ts';

/** One value, with its labels by name. */
export interface MetricSample {
  /** Labels by name. */
  readonly labels: Readonly<Record<string, string>>;
  /** The value. */
  readonly value: number;
  /** Follows the name of the family, such as `_bucket`, `_sum` or `_count` of a histogram. Default none. */
  readonly suffix?: string;
}

/** Values of one name. */
export interface MetricFamily {
  /** With or without the `_total` of a counter, which the formats have. */
  readonly name: string;
  /** Type of the values. */
  readonly type: 'gauge' | 'counter' | 'histogram';
  /** English text that describes the values. */
  readonly help: string;
  /** The values, each with its labels. */
  readonly samples: readonly MetricSample[];
}

export type ExpositionFormat = 'prometheus' | 'openmetrics';

export const contentTypes: Readonly<Record<ExpositionFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The format that a client prefers; Prometheus where it does not name the other. */
export function formatFor(accept: unknown): ExpositionFormat {
  const weights = acceptedWeights(accept);
  const named = weights.get('application/openmetrics-text') ?? 0;
  const plain = weights.get('text/plain') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0;
  return named > 0 && named >= plain ? 'openmetrics' : 'prometheus';
}

const inOneLine = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const quoted = (text: string): string => inOneLine(text).replaceAll('"', '\\"');

const valueText = (value: number): string =>
  Number.isFinite(value)
    ? String(value)
    : Number.isNaN(value)
      ? 'NaN'
      : value > 0
        ? '+Inf'
        : '-Inf';

/** The families as text. */
export function expose(families: readonly MetricFamily[], format: ExpositionFormat): string {
  const lines: string[] = [];
  for (const { name: given, type, help, samples } of families) {
    const isCounter = type === 'counter';
    const name = isCounter ? given.replace(/_total$/, '') : given;
    const declared = isCounter && format === 'prometheus' ? `${name}_total` : name;
    // Only OpenMetrics escapes quotes here; Prometheus would show the backslash.
    const text = format === 'openmetrics' ? quoted(help) : inOneLine(help);
    lines.push(`# HELP ${declared} ${text}`, `# TYPE ${declared} ${type}`);
    for (const { labels, value, suffix = isCounter ? '_total' : '' } of samples) {
      const pairs = Object.entries(labels).map(([label, own]) => `${label}="${quoted(own)}"`);
      const list = pairs.length > 0 ? `{${pairs.join(',')}}` : '';
      lines.push(`${name}${suffix}${list} ${valueText(value)}`);
    }
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}
