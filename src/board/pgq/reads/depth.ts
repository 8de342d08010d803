/** The depth of a queue over time, from the snapshots of the library, aggregated into buckets by the database. */

import type { PgqQueueDepthPoint } from '../../contract/index.ts';
import type { NamedRow } from '../connect/read-channel.ts';
import type { OpenSchema } from '../listings/installation.ts';

/** The period of a depth request. */
type DepthRange = '1h' | '6h' | '24h' | '7d';

/** How the snapshots of a bucket are aggregated. */
type DepthAggregate = 'max' | 'avg';

const hour = 3_600;
/** Seconds of the period, and of a bucket. */
const spans: {
  readonly [Range in DepthRange]: { readonly span: number; readonly bucket: number };
} = {
  '1h': { span: hour, bucket: 60 },
  '6h': { span: 6 * hour, bucket: 300 },
  '24h': { span: 24 * hour, bucket: 900 },
  '7d': { span: 168 * hour, bucket: 7_200 },
};

const columns = ['deferred', 'queued', 'ready', 'active', 'failed', 'total'] as const;

function bucketsSql(schema: string, aggregate: DepthAggregate): string {
  const folded = columns.map((column) => `round(${aggregate}(${column}_count))::int as ${column}`);
  return `select floor(extract(epoch from captured_on) / $4)::bigint as bucket, ${folded.join(', ')}
from "${schema}".queue_stats
where name = $1 and captured_on >= to_timestamp($2) and captured_on <= to_timestamp($3)
group by 1 order by 1`;
}

function pointOf(row: NamedRow, bucketSeconds: number): PgqQueueDepthPoint {
  const number = (column: string) => Number(row[column]);
  return {
    ts: number('bucket') * bucketSeconds * 1000,
    deferred: number('deferred'),
    queued: number('queued'),
    ready: number('ready'),
    active: number('active'),
    failed: number('failed'),
    total: number('total'),
  };
}

/** The response of the depth route: points by bucket start in milliseconds, without empty buckets. */
export interface Depth {
  readonly points: PgqQueueDepthPoint[];
  readonly from: number;
  readonly to: number;
  readonly bucketSeconds: number;
}

/** Reads the depth of a queue up to the current time. */
export async function queueDepth(
  { read }: OpenSchema,
  schema: string,
  queueName: string,
  range: DepthRange,
  aggregate: DepthAggregate,
): Promise<Depth> {
  const { span, bucket } = spans[range];
  const to = Date.now();
  const from = to - span * 1000;
  const rows = await read((session) =>
    session.query(bucketsSql(schema, aggregate), [queueName, from / 1000, to / 1000, bucket]),
  );
  return {
    points: rows.map((row) => pointOf(row, bucket)),
    from,
    to,
    bucketSeconds: bucket,
  };
}
