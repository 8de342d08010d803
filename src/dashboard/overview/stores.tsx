/** The datastores behind the boards, on one line. */

import { useQuery } from '@tanstack/react-query';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { kvStats, kvqQueues, mayReadBoard, pgqInfo, pgqQueues } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { bytes, exact } from '../format/number.ts';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import style from './overview.module.css';

interface Stats {
  readonly backend?: string | undefined;
  readonly version: string;
  readonly mode?: string | undefined;
  readonly uptime: number;
  readonly memory?:
    | { readonly used?: number | undefined; readonly total?: number | undefined }
    | undefined;
  readonly clients: { readonly connected: number; readonly blocked: number };
}

export function Stores() {
  return (
    <footer className={style['stores']} aria-label={t('stores.label')}>
      {allBoards.map((board) =>
        board.engine === 'kvq' ? (
          !uiConfig.hideKvDetails && <Kvq key={board.basePath} board={board} />
        ) : (
          <Pgq key={board.basePath} board={board} />
        ),
      )}
    </footer>
  );
}

function Kvq({ board }: { readonly board: Board }) {
  const { data: enabled = false } = useQuery({ ...kvqQueues(board), select: mayReadBoard });
  const { data } = useQuery({ ...kvStats(board), enabled });
  // Without queues the answer is empty.
  if (!data || !('version' in data)) return null;
  return <Line stats={data as Stats} name={data.backend === 'sql' ? 'PostgreSQL' : 'Redis'} />;
}

function Pgq({ board }: { readonly board: Board }) {
  const { data: enabled = false } = useQuery({ ...pgqQueues(board), select: mayReadBoard });
  const { data } = useQuery({ ...pgqInfo(board), enabled });
  if (!data?.datastore) return null;
  return (
    <Line
      stats={data.datastore}
      name="PostgreSQL"
      more={t('stores.schema', { schema: data.schema, version: data.schemaVersion ?? '?' })}
    />
  );
}

function Line({
  stats,
  name,
  more,
}: {
  readonly stats: Stats;
  readonly name: string;
  readonly more?: string;
}) {
  const { version, mode, memory, clients, uptime } = stats;
  const parts = [
    mode && mode !== 'standalone' ? mode : undefined,
    memory?.used === undefined
      ? undefined
      : memory.total
        ? t('stores.memory', { used: bytes(memory.used), total: bytes(memory.total) })
        : bytes(memory.used),
    t('stores.clients', { count: clients.connected, text: exact(clients.connected) }),
    clients.blocked > 0 ? t('stores.blocked', { count: clients.blocked }) : undefined,
    t('stores.uptime', { age: age(uptime * 1_000) }),
    more,
  ];
  return (
    <span>
      <strong dir="ltr">
        {name} {version}
      </strong>
      {parts
        .filter((part) => part !== undefined)
        .map((part) => (
          <span key={part}>
            {' '}
            · <bdi>{part}</bdi>
          </span>
        ))}
    </span>
  );
}
