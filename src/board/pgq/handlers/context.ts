/** The parts of an opened engine that its handlers share. */

import type { EngineHost, ResolvedOptions } from '../../core/index.ts';
import { WritableSchemas } from '../commands/writable-schemas.ts';
import { readChannel, writerDatabase } from '../connect/channels.ts';
import { Installation } from '../listings/installation.ts';
import { VisibleQueues } from '../listings/visible-queues.ts';
import type { PgqSettings } from '../options.ts';
import { Schedules } from '../reads/schedules.ts';
import { Writer } from '../schema/writer.ts';

/** See {@link openContext}. */
export interface PgqContext {
  readonly settings: PgqSettings;
  readonly options: ResolvedOptions;
  readonly installation: Installation;
  readonly queues: VisibleQueues;
  readonly writer: Writer;
  readonly schemas: WritableSchemas;
  readonly schedules: Schedules;
}

/** Creates the parts. They connect at the first request. */
export function openContext(settings: PgqSettings, { options }: EngineHost): PgqContext {
  const installation = new Installation(settings, readChannel(settings));
  const queues = new VisibleQueues(settings);
  const writer = new Writer(settings, options.readOnly, writerDatabase(settings));
  const schemas = new WritableSchemas(installation, queues, writer);
  const schedules = new Schedules(installation, queues, () => writer.previewer());
  return { settings, options, installation, queues, writer, schemas, schedules };
}
