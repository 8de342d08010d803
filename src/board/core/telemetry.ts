/** A board as OpenTelemetry sees it: a span of each request to the API, and a gauge of jobs by queue and state. */

import type { RouteMatch } from './request/router.ts';
import type { BoardRequest, BoardResponse } from './request/request.ts';
import type { ListQueues } from './live/listing.ts';
import { inSpan, observeGauge } from '../../lib/index.ts';

/**
 * Answers a request in a span named after its route, such as `GET /api/queues/{queueName}`. The span has no path and no
 * parameter of the client. It ends when the response is complete; that of a stream when the stream starts.
 */
export function inRouteSpan(
  engine: string,
  { operation, route }: RouteMatch,
  { method }: Pick<BoardRequest, 'method'>,
  answer: () => Promise<BoardResponse | undefined>,
): Promise<BoardResponse | undefined> {
  const attributes = {
    'http.request.method': method,
    'http.route': route.path,
    'sluice.board.engine': engine,
    'sluice.board.operation': operation,
  };
  return inSpan(`${method} ${route.path}`, attributes, async (span) => {
    const response = await answer();
    const { status = 404 } = response ?? {};
    span.set({ 'http.response.status_code': status });
    if (status >= 500) span.fail(String(status));
    return response;
  });
}

/** Observes the jobs of all queues, hidden ones too; the returned function ends it. */
export function observeJobs(
  engine: string,
  list: ListQueues,
  onError: (error: unknown) => void,
): () => void {
  return observeGauge(
    'sluice.queue.jobs',
    { description: 'Jobs of the queue by state.', unit: '{job}' },
    async (result) => {
      try {
        for (const { queue, counts } of (await list()).counted) {
          for (const [state, count] of Object.entries(counts)) {
            if (count === undefined) continue;
            result.observe(count, {
              'sluice.board.engine': engine,
              'sluice.queue.name': queue,
              'sluice.job.state': state,
            });
          }
        }
      } catch (error) {
        onError(error);
      }
    },
  );
}
