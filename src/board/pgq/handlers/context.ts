/** The parts of an opened engine that its handlers share. */

import { SingleFlight } from '../../../lib/index.ts';
import type { BoardPermissions, EngineHost, ResolvedOptions } from '../../core/index.ts';
import { WritableSchemas } from '../commands/writable-schemas.ts';
import {
  type ConnectionOptions,
  commandChannel,
  commandDatabase,
  readChannel,
} from '../connect/channels.ts';
import type { CommandDatabase } from '../connect/command-database.ts';
import { Installation } from '../listings/installation.ts';
import { VisibleQueues } from '../listings/visible-queues.ts';
import type { PgqSettings } from '../options.ts';
import type { QueueReads } from '../reads/queues.ts';
import { Schedules } from '../reads/schedules.ts';
import { ShownValues } from '../reads/shown-values.ts';
import { Writer } from '../schema/writer.ts';

/** The settings of a board, with the module `pg`. */
export type OpenSettings = PgqSettings & ConnectionOptions;

/** See {@link openContext}. */
export interface PgqContext {
  readonly settings: PgqSettings;
  readonly options: ResolvedOptions;
  readonly permissions: BoardPermissions;
  readonly installation: Installation;
  /** Where commands read and write. */
  readonly primary: Installation;
  readonly queues: VisibleQueues;
  readonly writer: Writer;
  readonly commands: CommandDatabase;
  readonly schemas: WritableSchemas;
  readonly schedules: Schedules;
  readonly values: ShownValues;
  readonly queueReads: QueueReads;
}

/** Creates the parts. They connect at the first request. */
export function openContext(
  settings: OpenSettings,
  { options, permissions, versionOf }: EngineHost,
): PgqContext {
  const installation = new Installation(settings, readChannel(settings, options.logger));
  const queues = new VisibleQueues(settings, permissions);
  const channel = commandChannel(settings);
  const primary = channel ? new Installation(settings, channel) : installation;
  const writer = new Writer(settings, options.readOnly);
  const commands = commandDatabase(settings);
  const queueReads: QueueReads = new SingleFlight(settings.snapshotMs, 1);
  const schemas = new WritableSchemas(primary, queues, writer, commands, () => queueReads.clear());
  const values = new ShownValues(settings, {
    logger: options.logger,
    versionOf,
    traceUrl: options.traceUrl,
  });
  const schedules = new Schedules(installation, queues, () => writer.previewer(), values);
  return {
    settings,
    options,
    permissions,
    installation,
    primary,
    queues,
    writer,
    commands,
    schemas,
    schedules,
    values,
    queueReads,
  };
}
