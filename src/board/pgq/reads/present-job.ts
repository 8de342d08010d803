/** Converts job rows to the resources PgqJobSummary and PgqJob. */

import type { PgqJob, PgqJobSummary } from '../../contract/index.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { ShownValues } from './shown-values.ts';

type JobRow = PgqRow<'job'>;

/** States in which the output of a job is that of a failure. */
const failing: ReadonlySet<string> = new Set(['retry', 'failed', 'cancelled']);

/** The beginnings of data and reason, as far as no formatter replaces them. */
function briefOf(row: JobRow, { replaced }: ShownValues): PgqJobSummary['brief'] {
  const { dataBrief, reasonBrief, state = 'created' } = row;
  const reason = failing.has(state) && !replaced.has('output') ? reasonBrief : null;
  return {
    ...(dataBrief != null && !replaced.has('data') && { data: dataBrief }),
    ...(reason != null && { reason }),
  };
}

/** A job in lists. `mayShow` tells whether the source queue of a dead letter may be named; `brief`: what shows values. */
export function jobSummary(
  row: JobRow,
  mayShow: (queueName: string) => boolean,
  brief?: ShownValues,
): PgqJobSummary {
  const { id = '', queueName = '', state = 'created', createdOn = '' } = row;
  const startAfter = row.startAfter ?? createdOn;
  const from = row.sourceName;
  return {
    id,
    queueName,
    state,
    priority: row.priority ?? 0,
    retryCount: row.retryCount ?? 0,
    retryLimit: row.retryLimit ?? 0,
    createdOn,
    startAfter,
    startedOn: row.startedOn ?? null,
    completedOn: row.completedOn ?? null,
    singletonKey: row.singletonKey ?? null,
    groupId: row.groupId ?? null,
    deferred: state === 'created' && Date.parse(startAfter) > Date.now(),
    blocked: row.blocked ?? false,
    deadLetterSource:
      from && row.sourceId && mayShow(from)
        ? {
            queueName: from,
            id: row.sourceId,
            createdOn: row.sourceCreatedOn ?? null,
            retryCount: row.sourceRetryCount ?? null,
          }
        : null,
    ...(brief && { brief: briefOf(row, brief) }),
  };
}

/** A job with all of its fields; with `raw`, its values also as stored. */
export function jobDetail(
  row: JobRow,
  mayShow: (queueName: string) => boolean,
  values: ShownValues,
  raw: boolean,
): PgqJob {
  const summary = jobSummary(row, mayShow);
  const texts = { data: row.dataText ?? null, output: row.outputText ?? null };
  const owner = { queueName: summary.queueName, jobId: summary.id };
  const stored = { data: parsed(texts.data), output: parsed(texts.output) };
  return {
    ...summary,
    ...values.of(owner, stored),
    ...values.traced(owner, stored.data),
    ...(raw && { raw: values.texts(texts) }),
    policy: row.policy ?? null,
    retryDelay: row.retryDelay ?? 0,
    retryBackoff: row.retryBackoff ?? false,
    retryDelayMax: row.retryDelayMax ?? null,
    expireInSeconds: row.expireInSeconds ?? 0,
    deleteAfterSeconds: row.deleteAfterSeconds ?? 0,
    keepUntil: row.keepUntil ?? row.createdOn ?? '',
    singletonOn: row.singletonOn ?? null,
    groupTier: row.groupTier ?? null,
    heartbeatSeconds: row.heartbeatSeconds ?? null,
    heartbeatOn: row.heartbeatOn ?? null,
    deadLetter: row.deadLetter && mayShow(row.deadLetter) ? row.deadLetter : null,
    blocking: row.blocking ?? false,
    pendingDependencies: row.pendingDependencies ?? 0,
  };
}

/** The value of a JSON text; a column without one is null. */
export function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : (JSON.parse(text) as unknown);
}

export function queuesNamedBy(rows: readonly JobRow[]): string[] {
  return rows.flatMap(({ sourceName, deadLetter }) =>
    [sourceName, deadLetter].filter((name) => typeof name === 'string'),
  );
}
