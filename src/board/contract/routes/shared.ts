/** The routes that every engine serves, and those of the entry of the API and of its document, which are in no table. */

import * as z from 'zod';

import { BoardAction } from '../actions.ts';
import { BulkRun, bulkActionOf, StartBulkBody } from '../bulk.ts';
import { ListActivityQuery, ListActivityResponse } from '../activity.ts';
import { reading, type RouteTable, type Route } from './route.ts';
import { errorRoutes } from './errors.ts';
import { runningRoutes } from './running.ts';
import { timelineRoutes } from './timeline.ts';

/** `queues` has the visible queues whose actions differ from `allowed`, by name. */
const Permissions = z.object({
  allowed: z.array(BoardAction),
  queues: z.record(z.string(), z.array(BoardAction)),
});

const read = reading('shared', 'queue.read', 'board');

const run = {
  ...read,
  target: 'jobs',
  response: z.object({ run: BulkRun }),
  errors: ['BULK_NOT_FOUND'],
} as const;

export const sharedRoutes = {
  startBulk: {
    ...run,
    method: 'POST',
    access: 'write',
    bodyAction: bulkActionOf,
    path: '/api/bulk',
    summary: 'Start a run of a command over many jobs of a queue, or count them',
    strict: true,
    body: StartBulkBody,
    errors: [
      'BULK_ACTION_NOT_SUPPORTED',
      'BULK_LIMIT',
      'BULK_NOT_FOUND',
      'BULK_RUNNING',
      'COMPLETED_RETRIES_DISABLED',
      'QUEUE_NOT_FOUND',
      'QUEUE_READ_ONLY',
      'RETRIES_DISABLED',
      'SEARCH_FIELD_CLOSED',
    ],
  },
  listBulk: {
    ...run,
    path: '/api/bulk',
    summary: 'The runs of the visible queues of the last hour, newest first',
    response: z.object({ runs: z.array(BulkRun) }),
    errors: [],
  },
  getBulk: {
    ...run,
    path: '/api/bulk/{runId}',
    summary: 'The progress or the result of a run',
  },
  cancelBulk: {
    ...run,
    method: 'POST',
    access: 'write',
    path: '/api/bulk/{runId}/cancel',
    summary: 'Stop a run after its current chunk',
  },
  undoBulk: {
    ...run,
    method: 'POST',
    access: 'write',
    path: '/api/bulk/{runId}/undo',
    summary: 'Start a run that gives the jobs of an ended run back, as far as they still wait',
    errors: [
      'BULK_LIMIT',
      'BULK_NOT_FOUND',
      'BULK_NOT_UNDOABLE',
      'BULK_RUNNING',
      'QUEUE_NOT_FOUND',
      'QUEUE_READ_ONLY',
    ],
  },
  listActivity: {
    ...read,
    path: '/api/activity',
    summary: 'Workers, waiting jobs and jobs finished per minute of all visible queues, or of one',
    query: ListActivityQuery,
    strict: true,
    response: ListActivityResponse,
  },
  ...runningRoutes,
  ...timelineRoutes,
  ...errorRoutes,
  getPermissions: {
    ...read,
    path: '/api/permissions',
    summary: 'The actions that the sender may do, on the board and on each queue',
    response: Permissions,
  },
} as const satisfies RouteTable;

/** The route that serves the document. It is not in the route table and not in the document. */
export const documentRoute = {
  ...reading('shared', 'board.read', 'board'),
  path: '/api/openapi.json',
  summary: 'The OpenAPI document of the board',
} as const satisfies Route;

/** The entry of the API, which tells where the document is. Like {@link documentRoute}, it is in no table. */
export const entryRoute = {
  ...documentRoute,
  path: '/api',
  summary: 'The address of the OpenAPI document',
} as const satisfies Route;
