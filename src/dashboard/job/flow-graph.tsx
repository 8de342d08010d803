/** A graph of jobs, laid out by dagre and drawn as SVG; each job is a button. */

import { Graph, layout } from '@dagrejs/dagre';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';

import { toJob } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { StateIcon, stateName, toneOf } from '../kit/states.tsx';
import style from './job.module.css';

export interface GraphNode {
  readonly key: string;
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly current: boolean;
  /** Children that are not shown. */
  readonly more: number | undefined;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

const width = 190;
const height = 46;
const margin = 12;

export function FlowGraph({
  board,
  nodes,
  edges,
}: {
  readonly board: Board;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}) {
  const navigate = useNavigate();
  const shape = [
    ...nodes.map(({ key }) => key),
    ...edges.map(({ from, to }) => `${from} ${to}`),
  ].join('\n');
  const placed = useMemo(() => {
    const graph = new Graph();
    graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 46, marginx: margin, marginy: margin });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { key } of nodes) graph.setNode(key, { width, height });
    for (const { from, to } of edges) graph.setEdge(from, to);
    layout(graph);
    return {
      graph: graph.graph() as { width?: number; height?: number },
      at: (key: string) => graph.node(key) as { x: number; y: number },
    };
    // The layout depends on which jobs there are, not on their states.
  }, [shape]);
  const { width: wide = width, height: high = height } = placed.graph;
  return (
    <div className={style['graph']} role="group" aria-label={t('flow.graph')} tabIndex={0}>
      <div style={{ position: 'relative', width: wide, height: high }}>
        <svg width={wide} height={high} aria-hidden="true">
          {edges.map(({ from, to }) => {
            const [start, end] = [placed.at(from), placed.at(to)];
            const [x1, x2] = [start.x + width / 2, end.x - width / 2];
            const bend = (x2 - x1) / 2;
            return (
              <path
                key={`${from} ${to}`}
                d={`M${x1} ${start.y}C${x1 + bend} ${start.y} ${x2 - bend} ${end.y} ${x2} ${end.y}`}
                fill="none"
                stroke="var(--line-strong)"
                strokeWidth="1.25"
              />
            );
          })}
        </svg>
        {nodes.map((node) => {
          const { x, y } = placed.at(node.key);
          return (
            <button
              key={node.key}
              type="button"
              className={style['node']}
              data-tone={toneOf(node.state)}
              aria-current={node.current ? 'true' : undefined}
              style={{ left: x - width / 2, top: y - height / 2, width, height }}
              title={`${node.queue} ${node.id}`}
              onClick={() => void navigate(toJob(board, node.queue, node.id, { tab: 'flow' }))}
            >
              <StateIcon state={node.state} />
              <span>
                <strong>{node.name || node.id}</strong>
                <small>
                  {node.queue}
                  <span className="visually-hidden">, {stateName(node.state)}</span>
                  {node.more ? ` · ${t('flow.moreCount', { count: node.more })}` : ''}
                </small>
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
