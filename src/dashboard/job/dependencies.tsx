/** The jobs that a job of pg-boss waits for, and those that wait for it, as a graph. */

import { useQueries, useQuery } from '@tanstack/react-query';

import type { JobPlace } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { jobDetail } from './detail.ts';
import { FlowGraph } from './flow-graph.tsx';
import type { GraphEdge, GraphNode } from './flow-graph.tsx';

/** Neighbours whose state is read. */
const most = 20;

export function Dependencies({ board, queueName, jobId }: JobPlace) {
  const { data, error, isPending, refetch } = useQuery(
    board.client.read('GET /api/pgq/queues/{queueName}/jobs/{jobId}/dependencies', {
      params: { queueName, jobId },
    }),
  );
  const refs = [...(data?.dependencies ?? []), ...(data?.dependents ?? [])].slice(0, most);
  const details = useQueries({
    queries: [{ queueName, id: jobId }, ...refs].map(({ queueName, id }) =>
      jobDetail(board, queueName, id),
    ),
  });
  if (isPending) return <Skeleton rows={4} />;
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (refs.length === 0) return <Empty icon="link" title={t('flow.none')} />;
  const name = (queue: string, id: string): string => `${queue} ${id}`;
  const states = new Map(
    details.map(({ data }) => [data && name(data.queueName, data.id), data?.state]),
  );
  const nodes: GraphNode[] = [{ queueName, id: jobId }, ...refs].map(({ queueName, id }) => ({
    key: name(queueName, id),
    queue: queueName,
    id,
    name: '',
    state: states.get(name(queueName, id)) ?? 'unknown',
    current: id === jobId,
    more: undefined,
  }));
  const own = name(queueName, jobId);
  const edges: GraphEdge[] = [
    ...data.dependencies.map((ref) => ({ from: own, to: name(ref.queueName, ref.id) })),
    ...data.dependents.map((ref) => ({ from: name(ref.queueName, ref.id), to: own })),
  ].filter(
    ({ from, to }) => nodes.some(({ key }) => key === from) && nodes.some(({ key }) => key === to),
  );
  return <FlowGraph board={board} nodes={nodes} edges={edges} />;
}
