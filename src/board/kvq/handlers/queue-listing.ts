/** All queues of the board for live updates and metrics: one read for all senders. */

import type { ListQueues } from '../../core/index.ts';
import { presentQueue } from '../present/present-queue.ts';
import { assertSomeRead } from '../errors/unavailable.ts';
import { allowedIn, signatureOf } from './queue-reads.ts';
import type { Scope } from './scope.ts';

export function queueListing(scope: Scope): ListQueues {
  const { showWorkers, permissions } = scope.options;
  return async () => {
    const snapshot = await scope.snapshots.take();
    assertSomeRead([...snapshot.values()]);
    return {
      snapshot,
      names: [...snapshot.keys()].map(({ name }) => name),
      get counted() {
        return [...snapshot].flatMap(([{ name }, result]) =>
          'facts' in result ? [{ queue: name, counts: result.facts.counts }] : [],
        );
      },
      async signature(request) {
        if (scope.showsAll) return '';
        const [grants, visible] = await Promise.all([
          permissions.of(request),
          scope.visible(request),
        ]);
        return signatureOf(grants, visible);
      },
      async shownTo(request) {
        const grants = await permissions.of(request);
        const queues = (await scope.visible(request)).flatMap((queue) => {
          const result = snapshot.get(queue);
          if (!result) return [];
          const {
            jobs: _jobs,
            pagination: _pagination,
            ...shown
          } = presentQueue(queue, result, {
            jobs: [],
            status: undefined,
            page: 1,
            jobsPerPage: 1,
            showWorkers,
            allowed: permissions.isAsked ? allowedIn(queue, grants) : undefined,
          });
          return [shown];
        });
        return { queues, ...(permissions.isAsked && { allowed: grants.allowed }) };
      },
    };
  };
}
