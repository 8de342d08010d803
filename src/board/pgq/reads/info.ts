/** Reads for `GET /api/pgq/info`: the installation, the capabilities of the board, the statistics of the server. */

import {
  type KvStats,
  type PgqCapabilities,
  type PgqInfo,
  translationKey,
} from '../../contract/index.ts';
import type { HookRequest, ResolvedOptions, Translatable } from '../../core/index.ts';
import { supportedRange } from '../schema/features.ts';
import { adviseIndexes } from '../schema/index-advice.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqSettings } from '../options.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import type { SchemaState } from '../schema/schema-guard.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';
import type { WriteGate, Writer } from '../schema/writer.ts';

const statisticsSql = `
select split_part(current_setting('server_version'), ' ', 1) as version,
  coalesce(inet_server_port(), current_setting('port')::int) as port,
  extract(epoch from clock_timestamp() - pg_postmaster_start_time())::bigint as uptime,
  (select count(*) from pg_stat_activity where backend_type = 'client backend') as connected,
  (select count(*) from pg_stat_activity where wait_event_type = 'Lock') as blocked`;

async function statistics(session: ReadSession): Promise<KvStats> {
  const [row] = await session.query(statisticsSql, []);
  const number = (column: string) => Number(row?.[column] ?? 0);
  return {
    backend: 'sql',
    version: String(row?.['version'] ?? ''),
    port: number('port'),
    uptime: number('uptime'),
    clients: { connected: number('connected'), blocked: number('blocked') },
  };
}

/** Whether the library has stored any snapshot and any warning, in one statement. */
async function persisted(
  session: ReadSession,
  schema: string,
  { features }: SchemaState,
): Promise<{ readonly stats: boolean; readonly warnings: boolean }> {
  const any = (present: boolean, table: string) =>
    present ? `exists (select 1 from "${schema}".${table})` : 'false';
  if (!features.queueDepth && !features.warnings) return { stats: false, warnings: false };
  const [row] = await session.query(
    `select ${any(features.queueDepth, 'queue_stats')} as stats, ${any(features.warnings, 'warning')} as warnings`,
    [],
  );
  return { stats: row?.['stats'] === true, warnings: row?.['warnings'] === true };
}

function capabilitiesOf(
  { closed, instance }: Pick<WriteGate, 'closed' | 'instance'>,
  state: SchemaState,
  schedulePreview: boolean,
): PgqCapabilities {
  const can = (...methods: (keyof NonNullable<typeof instance>)[]) =>
    closed === null && methods.every((name) => typeof instance?.[name] === 'function');
  const retry = can('retry');
  const cancel = can('cancel');
  const resume = can('resume');
  const remove = can('deleteJob', 'deleteQueuedJobs', 'deleteStoredJobs');
  return {
    send: can('send'),
    retry,
    cancel,
    resume,
    delete: remove,
    scheduleWrite: state.features.schedules && state.maySchedule && can('schedule', 'unschedule'),
    schedulePreview,
    bulk: retry || cancel || resume || remove,
  };
}

function messageOf(reason: Translatable | null): PgqInfo['unavailableReason'] {
  if (!reason) return null;
  const { key, options } = reason;
  return { key: translationKey(key), ...(options && { options: { ...options } }) };
}

/** Missing listing indexes, except on tables of hidden queues; empty when they cannot be determined. */
async function missingIndexes(
  { installation, queues, settings }: InfoSources,
  request: HookRequest,
): Promise<NonNullable<PgqInfo['indexAdvice']>> {
  const tables = await installation.jobTables().catch(() => []);
  const shown = await queues.visibleAmong(
    request,
    tables.flatMap(({ queueName }) => queueName ?? []),
  );
  return adviseIndexes(
    settings.catalogSchema,
    tables.filter(({ queueName }) => queueName === null || shown.has(queueName)),
    ['queue', 'all'],
  );
}

/** The sources of the information. */
interface InfoSources {
  readonly installation: Installation;
  /** Where commands read and write. */
  readonly primary: Installation;
  readonly queues: VisibleQueues;
  readonly writer: Writer;
  readonly settings: PgqSettings;
  readonly options: ResolvedOptions;
}

/** Reads the information. A schema that cannot be read is reported, not refused. */
export function readInfo(sources: InfoSources, request: HookRequest): Promise<PgqInfo> {
  return sources.installation.fitting(() => read(sources, request));
}

async function read(sources: InfoSources, request: HookRequest): Promise<PgqInfo> {
  const { installation, primary, writer, settings, options } = sources;
  const { readOnly, hideKvDetails } = options;
  const state = await installation.state();
  const readable = state.unavailable === null;
  const written = await primary.state().catch(() => ({ ...state, mayWrite: false }));
  const [gate, previewer, datastore, kept, advice] = await Promise.all([
    readable ? writer.gate(written) : { closed: state.unavailable, instance: undefined },
    writer.previewer(),
    hideKvDetails ? null : installation.read(statistics).catch(() => null),
    readable
      ? installation.read((session) => persisted(session, settings.catalogSchema, state))
      : { stats: false, warnings: false },
    readable ? missingIndexes(sources, request) : [],
  ]);
  return {
    schema: settings.schema,
    delimiter: settings.delimiter,
    installed: state.installed,
    schemaVersion: state.version,
    supportedRange,
    readable,
    writable: gate.closed === null && (written.maySchedule || !state.features.schedules),
    readOnly,
    unavailableReason: messageOf(state.unavailable),
    writesDisabledReason: messageOf(gate.closed),
    untested: state.untested,
    features: state.features,
    disabledFeatures: [...state.disabledFeatures],
    persistQueueStats: kept.stats,
    persistWarnings: kept.warnings,
    datastore,
    capabilities: capabilitiesOf(gate, written, readable && previewer !== undefined),
    ...(advice.length > 0 && { indexAdvice: advice }),
  };
}
