/** Reads of schedules, with their next runs. */

import { isRecord } from '../../../lib/index.ts';
import type { PgqSchedule } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import {
  type AskedRuns,
  type HookRequest,
  NextRuns,
  isoTime,
  runsShown,
  withinDepth,
} from '../../core/index.ts';
import type { Installation, OpenSchema } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { Previewer } from '../connect/schedule-previewer.ts';
import { parsed } from './present-job.ts';
import type { ShownValues } from './shown-values.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

type ScheduleRow = PgqRow<'schedule'>;

/** A schedule with its data as stored, which is shown through `shownSchedule` only. */
export interface StoredSchedule extends Omit<PgqSchedule, 'problem' | 'raw' | 'data'> {
  readonly texts: { readonly data: string | null; readonly options: string | null };
}

const timezoneOf = ({ timezone }: ScheduleRow): string => timezone ?? 'UTC';

/** The next runs of a schedule, to be computed. */
function asked(previewer: Previewer, row: ScheduleRow): AskedRuns {
  const [expression, timezone] = [row.expression ?? '', timezoneOf(row)];
  return {
    key: `${timezone}\n${expression}`,
    compute: () => previewer(expression, timezone, runsShown).map(Number),
  };
}

const ownerOf = ({ queueName = '', key = '' }: ScheduleRow) => ({ queueName, scheduleKey: key });

function present(row: ScheduleRow, nextRuns: string[], version: string): StoredSchedule {
  const texts = { data: row.dataText ?? null, options: row.optionsText ?? null };
  const options = withinDepth(parsed(texts.options));
  const expression = row.expression ?? '';
  return {
    queueName: row.queueName ?? '',
    key: row.key ?? '',
    kind: row.kind === 'rrule' ? 'rrule' : 'cron',
    expression,
    pattern: expression,
    timezone: timezoneOf(row),
    texts,
    options: isRecord(options) ? options : {},
    createdOn: row.createdOn ?? '',
    updatedOn: row.updatedOn ?? '',
    lastJobId: row.lastJobId ?? null,
    nextRuns,
    version,
  };
}

/** The schedule as clients see it; with `raw`, its values also as stored. */
export function shownSchedule(
  { texts, ...schedule }: StoredSchedule,
  values: ShownValues,
  raw: boolean,
): PgqSchedule {
  const { queueName, key } = schedule;
  const shown = values.of({ queueName, scheduleKey: key }, { data: parsed(texts.data) });
  return {
    ...schedule,
    ...shown,
    ...(raw && { raw: values.texts({ ...texts, data: texts.data ?? 'null' }) }),
  };
}

export class Schedules {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #previewer: () => Promise<Previewer | undefined>;
  readonly #values: ShownValues;
  readonly #nextRuns = new NextRuns();

  constructor(
    installation: Installation,
    queues: VisibleQueues,
    previewer: () => Promise<Previewer | undefined>,
    values: ShownValues,
  ) {
    this.#values = values;
    this.#installation = installation;
    this.#queues = queues;
    this.#previewer = previewer;
  }

  /** Schedules of one queue, or of all visible queues, ordered by queue and key. */
  list(request: HookRequest, queueName: string | undefined): Promise<StoredSchedule[]> {
    return this.#installation.open(async (schema) => {
      if (queueName !== undefined) await this.#queues.require(schema, request, queueName);
      if (!schema.state.features.schedules) return [];
      const rows = await scheduleRows(
        schema,
        queueName === undefined ? undefined : { queueName: { eq: queueName } },
      );
      const shown = await this.#queues.visibleAmong(
        request,
        rows.map((row) => row.queueName ?? ''),
        'schedule.read',
      );
      return this.#present(rows.filter((row) => shown.has(row.queueName ?? '')));
    });
  }

  /** One schedule by its key. */
  async find(
    schema: OpenSchema,
    queueName: string,
    key: string,
  ): Promise<StoredSchedule | undefined> {
    const rows = await scheduleRows(schema, { queueName: { eq: queueName }, key: { eq: key } });
    const [schedule] = await this.#present(rows);
    return schedule;
  }

  async #present(rows: readonly ScheduleRow[]): Promise<StoredSchedule[]> {
    const previewer = rows.length === 0 ? undefined : await this.#previewer();
    const runs = await this.#nextRuns.of(previewer ? rows.map((row) => asked(previewer, row)) : []);
    return rows.map((row, index) =>
      present(row, (runs[index] ?? []).map(isoTime), this.#values.versionOf(ownerOf(row), row)),
    );
  }
}

async function scheduleRows(
  { listings, read }: OpenSchema,
  filter?: { readonly [path: string]: { readonly eq: string } },
): Promise<readonly ScheduleRow[]> {
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'schedule'),
      { ...(filter && { filter }), paginate: 'false' },
      listings.rules.schedules,
    ),
  );
  return data;
}
