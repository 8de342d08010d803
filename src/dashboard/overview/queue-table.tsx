/** The queues and their groups as a table. */

import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';

import { allBoards, toQueue } from '../api/boards.ts';
import { keyText } from '../api/error-text.ts';
import { percent, short } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { Spark } from '../kit/spark.tsx';
import { StateBar } from '../kit/states.tsx';
import { Table } from '../kit/table.tsx';
import type { Column } from '../kit/table.tsx';
import { Count, Since, Unknown, When } from '../kit/text.tsx';
import { PauseMany } from './pause-many.tsx';
import { isFailing, lacksWorker } from './rows.ts';
import type { Line, QueueRow, SortKey } from './rows.ts';
import { useAllowed } from '../actions/perform.ts';
import { pathStep } from '../api/path-name.ts';
import { copyText } from '../kit/copy.ts';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { part } from '../kit/patient.ts';
import { asksFirst, filterOf, retryFailed, setPaused } from '../queue/queue-commands.ts';
import style from './overview.module.css';

const Sheet = part(() => import('../queue/sheet.tsx'), 'Sheet');

const danger = ({ row }: Line) => (row && isFailing(row) ? 'danger' : undefined);

/** @param onToggle opens or closes a group */
const columnsFor = (onToggle: (key: string) => void): readonly Column<Line>[] => [
  {
    title: 'col.queue',
    sort: 'name',
    names: true,
    cell: (line, open) => (
      <span style={{ paddingInlineStart: 8 + line.depth * 18 }} className={style['name']}>
        {line.row ? (
          <QueueName row={line.row} label={line.label} />
        ) : (
          <GroupName line={line} open={open} onToggle={onToggle} />
        )}
      </span>
    ),
  },
  {
    title: 'col.states',
    className: style['bar-cell'],
    leaves: 4,
    plain: true,
    cell: ({ row, figures }) =>
      row?.countedAt === null ? (
        <span className={style['dim']}>{t('counts.never')}</span>
      ) : (
        <StateBar shares={figures.shares} paused={row?.paused ?? false} />
      ),
  },
  {
    title: 'col.waiting',
    className: style['count'],
    sort: 'waiting',
    end: true,
    tone: ({ row }) => (row?.backlogged ? 'warn' : undefined),
    cell: ({ figures }) => <Count value={figures.waiting} />,
  },
  {
    title: 'col.active',
    className: style['count'],
    leaves: 3,
    sort: 'active',
    end: true,
    cell: ({ figures }) => <Count value={figures.active} />,
  },
  {
    title: 'col.failed',
    className: style['count'],
    sort: 'failed',
    end: true,
    tone: danger,
    cell: ({ row, figures: { failed } }) =>
      row && failed ? (
        <Link {...toQueue(row.board, row.name, { state: 'failed' })}>
          <Count value={failed} />
        </Link>
      ) : (
        <Count value={failed} />
      ),
  },
  {
    title: 'col.failedShare',
    className: style['share'],
    leaves: 2,
    sort: 'share',
    end: true,
    tone: danger,
    cell: ({ figures: { failedShare } }) =>
      failedShare === null ? <Unknown /> : percent(failedShare),
  },
  {
    title: 'col.oldest',
    className: style['age'],
    end: true,
    cell: ({ figures }) => <Since time={figures.oldest} />,
  },
  {
    title: 'col.course',
    className: style['course'],
    leaves: 1,
    end: true,
    cell: ({ row }) => row && <Course row={row} />,
  },
  {
    title: 'col.workers',
    className: style['workers'],
    end: true,
    tone: ({ row }) => (row && lacksWorker(row) ? 'warn' : undefined),
    cell: ({ row, figures }) => (row ? <Workers row={row} /> : figures.workers),
  },
  {
    title: 'col.actions',
    className: style['menu'],
    untitled: true,
    plain: true,
    cell: ({ row, rows, label }) =>
      row ? (
        <QueueMenu row={row} />
      ) : (
        <PauseMany label={t('queue.menu', { queue: label })} rows={rows} />
      ),
  },
];

const problemOf = ({ row }: Line) =>
  row?.problem !== undefined && (
    <>
      <Icon name="warn" size={14} /> {keyText(row.problem)}
    </>
  );

const keyOf = ({ key }: Line): string => key;

const attributesOf = ({ row }: Line) =>
  row
    ? { 'data-problem': row.problem !== undefined || undefined }
    : { className: style['group'] ?? '' };

export function QueueTable({
  lines,
  sort,
  down,
  closed,
  onSort,
  onToggle,
  onBusy,
}: {
  readonly lines: readonly Line[];
  readonly sort: SortKey;
  readonly down: boolean;
  readonly closed: ReadonlySet<string>;
  readonly onSort: (key: SortKey) => void;
  readonly onToggle: (key: string) => void;
  readonly onBusy: (busy: boolean) => void;
}) {
  const columns = useMemo(() => columnsFor(onToggle), [onToggle]);
  return (
    <Table
      caption={t('overview.title')}
      className={`rows stacked ${style['table']}`}
      kind="queue"
      columns={columns}
      whole={problemOf}
      rows={lines}
      keyOf={keyOf}
      marked={({ key }) => !closed.has(key)}
      attributes={attributesOf}
      sorting={{
        by: sort,
        ascending: (sort === 'name') === down,
        choose: (by) => onSort(by as SortKey),
      }}
      onBusy={onBusy}
    />
  );
}

const engineName = ({ board }: QueueRow): string => (board.engine === 'kvq' ? 'BullMQ' : 'pg-boss');

function GroupName({
  line: { key, label, rows },
  open,
  onToggle,
}: {
  readonly line: Line;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
}) {
  return (
    <button type="button" data-row-link aria-expanded={open} onClick={() => onToggle(key)}>
      <Icon name={open ? 'down' : 'right'} size={12} />
      <span>{label}</span>
      <small>
        {rows.length}
        {allBoards.length > 1 && rows[0] && ` · ${engineName(rows[0])}`}
      </small>
    </button>
  );
}

/** The reason that holds jobs of a queue back; undefined where none is known. */
function heldBy({ waiting, limitedFor, fullAt, active, heldKeys, blocked }: QueueRow) {
  if (waiting) {
    if (limitedFor > 0) return t('overview.limited', { time: duration(limitedFor) });
    if (fullAt !== undefined) return t('overview.full', { count: active, limit: fullAt });
    if (heldKeys) return t('overview.keys', { count: heldKeys });
  }
  return blocked ? t('overview.blocked', { count: blocked }) : undefined;
}

function QueueName({ row, label }: { readonly row: QueueRow; readonly label: string }) {
  const held = heldBy(row);
  return (
    <>
      <Link
        {...toQueue(row.board, row.name)}
        data-row-link
        dir="auto"
        title={row.description ?? row.name}
      >
        {label}
      </Link>
      {allBoards.length > 1 && <small title={row.board.title}>{engineName(row)}</small>}
      {row.countedAt && (
        <small title={t('counts.age')}>
          <When time={row.countedAt} />
        </small>
      )}
      {row.paused && (
        <span className={style['flag']} title={row.pausedBy}>
          <Icon name="bars" size={12} />
          {t('state.paused')}
        </span>
      )}
      {held !== undefined && (
        <span className={style['flag']}>
          <Icon name="clock" size={12} />
          {held}
        </span>
      )}
      {row.readOnly && (
        <span className={style['flag']} title={t('readOnly.queue')}>
          <Icon name="lock" size={12} />
          <span className="visually-hidden">{t('readOnly.badge')}</span>
        </span>
      )}
    </>
  );
}

function Course({ row: { course, perMinute } }: { readonly row: QueueRow }) {
  return (
    <>
      {course && course.values.length > 1 && (
        <Spark values={course.values} label={t(`course.${course.kind}`)} />
      )}
      {perMinute !== undefined && (
        <span>{t('overview.perMinute', { count: short(perMinute) })}</span>
      )}
    </>
  );
}

function Workers({ row: { workers } }: { readonly row: QueueRow }) {
  if (typeof workers === 'number') return <Count value={workers} />;
  if (workers === true)
    return (
      <span title={t('workers.some')}>
        <Icon name="tick" size={12} label={t('workers.some')} />
      </span>
    );
  if (workers === false) return <>{t('workers.none')}</>;
  return <Unknown />;
}

function QueueMenu({ row }: { readonly row: QueueRow }) {
  const { board, name, paused, readOnly, failed } = row;
  const [asked, ask] = useState(false);
  const allowed = useAllowed(board, name, row.allowed);
  const items: MenuItem[] = [];
  if (!readOnly && board.engine === 'kvq' && allowed('queue.pause')) {
    items.push({
      id: 'pause',
      label: t(paused ? 'queue.resume' : 'queue.pause'),
      icon: paused ? 'play' : 'bars',
      run: () => void setPaused(board, name, !paused),
    });
  }
  if (!readOnly && (failed ?? 0) > 0 && allowed('jobs.retry')) {
    items.push({
      id: 'retry',
      label: t('queue.retryFailed', { count: failed ?? 0 }),
      icon: 'retry',
      run: () => (asksFirst('retry', failed ?? 0, []) ? ask(true) : void retryFailed(board, name)),
    });
  }
  items.push(
    { id: 'copy', label: t('queue.copyName'), icon: 'copy', run: () => void copyText(name, name) },
    {
      id: 'link',
      label: t('queue.copyLink'),
      icon: 'link',
      run: () => void copyText(`${location.origin}${board.basePath}/queue/${pathStep(name)}`, name),
    },
  );
  const many = { verb: 'retry', count: failed ?? 0, states: ['failed'], queue: row.title } as const;
  const filter = filterOf(board, 'failed');
  return (
    <>
      <Menu label={t('queue.menu', { queue: name })} items={items} />
      <Suspense>
        {asked && (
          <Sheet
            board={board}
            queueName={name}
            many={many}
            filter={filter}
            close={() => ask(false)}
            run={(rate) =>
              void import('../queue/runs.ts').then(({ beginRun }) =>
                beginRun(board, name, 'retry', { filter }, { rate }),
              )
            }
          />
        )}
      </Suspense>
    </>
  );
}
