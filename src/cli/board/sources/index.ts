/** The datastores of the settings as sources. */

import type { QueueOptions } from '../../../board/index.ts';
import type { BoardSettings } from '../settings/settings.ts';
import { pgqSource } from './pgq.ts';
import { postgresSource } from './postgres.ts';
import { redisSource } from './redis.ts';
import type { Source } from './source.ts';

/** The sources in the order in which the first of two queues of one name wins. */
export function sourcesOf(settings: BoardSettings, warn: (line: string) => void): Source[] {
  const { sources, queues, readOnly } = settings;
  const optionsOf = (name: string): QueueOptions => ({
    ...queues.optionsOf(name),
    ...(readOnly && { readOnly, readOnlyMode: readOnly }),
  });
  const board = { queues, optionsOf, warn };
  return [
    ...(sources.redis ? [redisSource(sources.redis, board)] : []),
    ...(sources.postgres ? [postgresSource(sources.postgres, board)] : []),
    ...(sources.pgq ? [pgqSource(sources.pgq, warn)] : []),
  ];
}
