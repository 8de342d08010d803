/** The flow of a job: as a graph, and as a tree in words. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { toJob } from '../api/boards.ts';
import type { Board, JobPlace } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Empty, Failed, Skeleton } from '../kit/panel.tsx';
import { StateMark } from '../kit/states.tsx';
import { live } from '../live/loop.ts';
import { FlowGraph } from './flow-graph.tsx';
import type { GraphEdge, GraphNode } from './flow-graph.tsx';
import style from './job.module.css';

type Node = NonNullable<Answer<'GET /api/queues/{queueName}/{jobId}/flow'>['flowRoot']>;

/** Nodes drawn at most; more are in the tree. */
const drawn = 150;

export function Flow({ board, queueName, jobId }: JobPlace) {
  const [asTree, setAsTree] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    ...board.client.read('GET /api/queues/{queueName}/{jobId}/flow', {
      params: { queueName, jobId },
    }),
    meta: live,
  });
  if (isPending) return <Skeleton rows={4} />;
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  const root = data?.flowRoot;
  if (!root || (root.children.length === 0 && root.id === jobId)) {
    return <Empty icon="link" title={t('flow.none')} />;
  }
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const walk = (node: Node, parent: string | undefined) => {
    const key = `${node.queueName} ${node.id}`;
    const listed = node.children.length;
    const all = node.dependencies
      ? node.dependencies.processed +
        node.dependencies.unprocessed +
        node.dependencies.failed +
        node.dependencies.ignored
      : listed;
    nodes.push({
      key,
      queue: node.queueName,
      id: node.id,
      name: node.name,
      state: node.state,
      current: node.id === jobId && node.queueName === queueName,
      // Children that are beyond the limits of the answer, or no longer stored.
      more: Math.max(0, all - listed) || undefined,
    });
    if (parent !== undefined) edges.push({ from: parent, to: key });
    for (const child of node.children) walk(child, key);
  };
  walk(root, undefined);
  const unseen = nodes.reduce((sum, { more = 0 }) => sum + more, 0);
  return (
    <div className={style['view']}>
      <div className={style['view-bar']}>
        <span>
          {unseen > 0
            ? t('flow.shown', { count: exact(nodes.length), of: exact(nodes.length + unseen) })
            : t('flow.jobs', { count: nodes.length })}
        </span>
        {nodes.length <= drawn && (
          <Button look="quiet" aria-pressed={asTree} onClick={() => setAsTree(!asTree)}>
            {t('flow.tree')}
          </Button>
        )}
      </div>
      {asTree || nodes.length > drawn ? (
        <ul className={style['tree']}>
          <Branch node={root} board={board} jobId={jobId} />
        </ul>
      ) : (
        <FlowGraph board={board} nodes={nodes} edges={edges} />
      )}
    </div>
  );
}

function Branch({
  node,
  board,
  jobId,
}: {
  readonly node: Node;
  readonly board: Board;
  readonly jobId: string;
}) {
  return (
    <li>
      <span className={style['branch']} data-current={node.id === jobId || undefined}>
        <StateMark state={node.state} />
        <Link {...toJob(board, node.queueName, node.id, { tab: 'flow' })}>{node.name}</Link>
        <small>{node.queueName}</small>
      </span>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch
              key={`${child.queueName} ${child.id}`}
              node={child}
              board={board}
              jobId={jobId}
            />
          ))}
        </ul>
      )}
      {node.truncated && <small>{t('flow.more')}</small>}
    </li>
  );
}
