/** The route that tells of changes of queues as they happen, one per engine: Server-Sent Events. */

import * as z from 'zod';

import { allowed } from '../actions.ts';
import { ErrorResponseBody } from '../errors.ts';
import { PgqQueueSummary } from '../pgq-queues.ts';
import { AppQueue } from '../queues.ts';
import { guarded } from './pgq-commands.ts';
import { reading, type Route, type RouteTable } from './route.ts';

/** A queue as in the listing, without jobs. */
const LiveQueue = AppQueue.omit({ jobs: true, pagination: true });

/** The data of each event, by its name. */
function eventsOf(queue: z.core.$ZodType): NonNullable<Route['events']> {
  return {
    snapshot: z.object({ queues: z.array(queue), ...allowed }),
    diff: z.object({ changed: z.array(queue), removed: z.array(z.string()), ...allowed }),
    resync: z.object({}),
    unavailable: ErrorResponseBody,
    revoked: ErrorResponseBody,
  };
}

const live = {
  path: '/api/live',
  summary: 'Visible queues and their changes, as Server-Sent Events',
} as const;

export const liveRoutes = {
  kvq: {
    watchQueues: {
      ...reading('kvq', 'queue.read', 'board'),
      ...live,
      events: eventsOf(LiveQueue),
    },
  },
  pgq: {
    watchPgqQueues: {
      ...reading('pgq', 'queue.read', 'board'),
      ...live,
      events: eventsOf(PgqQueueSummary),
      errors: guarded,
    },
  },
} as const satisfies Readonly<Record<'kvq' | 'pgq', RouteTable>>;
