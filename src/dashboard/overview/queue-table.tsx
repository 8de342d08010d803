/** The queues as a table; of many, only the lines in sight are in the document. */

import { Link } from '@tanstack/react-router';
import { Suspense, lazy, memo, useRef } from 'react';
import type { ReactNode } from 'react';

import { allBoards } from '../api/boards.ts';
import { keyText } from '../api/error-text.ts';
import { percent, short } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { useRowKeys } from '../kit/row-keys.ts';
import { useRowHeight } from '../kit/row-height.ts';
import { Spark } from '../kit/spark.tsx';
import { StateBar } from '../kit/states.tsx';
import { Count, Since, Unknown, When } from '../kit/text.tsx';
import { QueueMenu } from '../queue/queue-menu.tsx';
import { isFailing, lacksWorker, sumRows } from './rows.ts';
import type { Line, QueueRow, SortKey } from './rows.ts';
import { patient } from '../kit/patient.ts';
import style from './overview.module.css';

const load = () => import('../kit/virtual-lines.tsx');

const VirtualLines = lazy(
  patient(() => load().then(({ VirtualLines }) => ({ default: VirtualLines }))),
);

/** Loads what a long table needs, before it is known how long the table is. */
export const prepareLongTable = (): void => void load();

/** Lines that a table shows without leaving out those out of sight. */
const plainLimit = 100;

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
  /** Whether a person works in the table, so that its lines must keep their place. */
  readonly onBusy: (busy: boolean) => void;
}) {
  const at = useRef<HTMLTableElement>(null);
  const height = useRowHeight('queue');
  useRowKeys(at);
  const line = (index: number) => {
    const each = lines[index];
    if (!each) return null;
    // A line that only moves to another place keeps its cells as they are.
    return each.kind === 'queue' ? (
      <tr
        key={each.key}
        aria-rowindex={index + 2}
        data-problem={each.row.problem !== undefined || undefined}
      >
        <QueueCells line={each} />
      </tr>
    ) : (
      <tr key={each.key} aria-rowindex={index + 2} className={style['group']}>
        <GroupCells line={each} open={!closed.has(each.key)} onToggle={onToggle} />
      </tr>
    );
  };
  const head = (key: SortKey | undefined, label: ReactNode, end = false) => (
    <th
      scope="col"
      data-end={end || undefined}
      aria-sort={
        key === sort ? ((key === 'name') === down ? 'ascending' : 'descending') : undefined
      }
    >
      {key ? (
        <button type="button" onClick={() => onSort(key)}>
          {label}
          {key === sort && <Icon name={(key === 'name') === down ? 'up' : 'down'} size={10} />}
        </button>
      ) : (
        label
      )}
    </th>
  );
  return (
    <table
      ref={at}
      className={`rows stacked ${style['table']}`}
      aria-rowcount={lines.length + 1}
      onFocus={() => onBusy(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onBusy(false);
      }}
      onPointerEnter={() => onBusy(true)}
      onPointerLeave={({ currentTarget }) => onBusy(currentTarget.contains(document.activeElement))}
    >
      <caption className="visually-hidden">{t('overview.title')}</caption>
      <colgroup>
        <col className={style['cName']} />
        <col className={style['cBar']} />
        <col className={style['cCount']} />
        <col className={style['cCount']} />
        <col className={style['cCount']} />
        <col className={style['cShare']} />
        <col className={style['cAge']} />
        <col className={style['cCourse']} />
        <col className={style['cWorkers']} />
        <col className={style['cMenu']} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {head('name', t('col.queue'))}
          {head(undefined, t('col.states'))}
          {head('waiting', t('col.waiting'), true)}
          {head('active', t('col.active'), true)}
          {head('failed', t('col.failed'), true)}
          {head('share', t('col.failedShare'), true)}
          {head(undefined, t('col.oldest'), true)}
          {head(undefined, t('col.course'), true)}
          {head(undefined, t('col.workers'), true)}
          <th scope="col">
            <span className="visually-hidden">{t('col.actions')}</span>
          </th>
        </tr>
      </thead>
      {lines.length > plainLimit ? (
        <Suspense>
          <VirtualLines count={lines.length} height={height} line={line} />
        </Suspense>
      ) : (
        <tbody>{lines.map((_, index) => line(index))}</tbody>
      )}
    </table>
  );
}

const indent = (depth: number) => ({ paddingInlineStart: 16 + depth * 18 });

const GroupCells = memo(function GroupCells({
  line,
  open,
  onToggle,
}: {
  readonly line: Line & { kind: 'group' };
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
}) {
  const { shares, waiting, active, failed, failedShare, oldest, workers } = sumRows(line.rows);
  return (
    <>
      <th scope="row" style={indent(line.depth)}>
        <button type="button" data-row-link aria-expanded={open} onClick={() => onToggle(line.key)}>
          <Icon name={open ? 'down' : 'right'} size={12} />
          <span>{line.label}</span>
          <small>
            {line.rows.length}
            {allBoards.length > 1 &&
              ` · ${line.rows[0]?.board.engine === 'kvq' ? 'BullMQ' : 'pg-boss'}`}
          </small>
        </button>
      </th>
      <td className={style['bar-cell']}>
        <StateBar shares={shares} />
      </td>
      <td data-label={t('col.waiting')}>
        <Count value={waiting} />
      </td>
      <td data-label={t('col.active')}>
        <Count value={active} />
      </td>
      <td data-label={t('col.failed')}>
        <Count value={failed} />
      </td>
      <td data-label={t('col.failedShare')}>
        {failedShare === null ? <Unknown /> : percent(failedShare)}
      </td>
      <td data-label={t('col.oldest')}>
        {oldest === undefined ? <Unknown /> : <Since time={oldest} />}
      </td>
      <td />
      <td>{workers ?? ''}</td>
      <td />
    </>
  );
});

const QueueCells = memo(function QueueCells({ line }: { readonly line: Line & { kind: 'queue' } }) {
  const { row } = line;
  const link = {
    to: '/queue/$queueName',
    params: { queueName: row.name },
    search: { board: row.board.param },
  } as const;
  return (
    <>
      <th scope="row" style={indent(line.depth)}>
        <span className={style['name']}>
          <Link {...link} data-row-link dir="auto" title={row.description ?? row.name}>
            {line.label}
          </Link>
          {allBoards.length > 1 && (
            <small title={row.board.title}>
              {row.board.engine === 'kvq' ? 'BullMQ' : 'pg-boss'}
            </small>
          )}
          {row.countedAt && (
            <small title={t('counts.age')}>
              <When time={row.countedAt} />
            </small>
          )}
          {row.paused && (
            <span className={style['flag']}>
              <Icon name="bars" size={12} />
              {t('state.paused')}
            </span>
          )}
          {row.readOnly && (
            <span className={style['flag']} title={t('readOnly.queue')}>
              <Icon name="lock" size={12} />
              <span className="visually-hidden">{t('readOnly.badge')}</span>
            </span>
          )}
        </span>
      </th>
      {row.problem === undefined ? (
        <>
          <td className={style['bar-cell']}>
            {row.countedAt === null ? (
              <span className={style['dim']}>{t('counts.never')}</span>
            ) : (
              <StateBar shares={row.shares} paused={row.paused} />
            )}
          </td>
          <td data-label={t('col.waiting')} data-tone={row.backlogged ? 'warn' : undefined}>
            <Count value={row.waiting} />
          </td>
          <td data-label={t('col.active')}>
            <Count value={row.active} />
          </td>
          <td data-label={t('col.failed')} data-tone={isFailing(row) ? 'danger' : undefined}>
            {row.failed === null || row.failed === 0 ? (
              <Count value={row.failed} />
            ) : (
              <Link {...link} search={{ board: row.board.param, state: 'failed' }}>
                <Count value={row.failed} />
              </Link>
            )}
          </td>
          <td data-label={t('col.failedShare')} data-tone={isFailing(row) ? 'danger' : undefined}>
            {row.failedShare === null ? <Unknown /> : percent(row.failedShare)}
          </td>
          <td data-label={t('col.oldest')}>
            {row.oldest === undefined ? <Unknown /> : <Since time={row.oldest} />}
          </td>
          <td className={style['course']} data-label={t('col.course')}>
            {row.course && row.course.values.length > 1 && (
              <Spark values={row.course.values} label={t(`course.${row.course.kind}`)} />
            )}
            {row.perMinute !== undefined && (
              <span>{t('overview.perMinute', { count: short(row.perMinute) })}</span>
            )}
          </td>
          <td data-label={t('col.workers')} data-tone={lacksWorker(row) ? 'warn' : undefined}>
            <Workers row={row} />
          </td>
          <td className={style['menu']}>
            <QueueMenu row={row} />
          </td>
        </>
      ) : (
        <td colSpan={9} className={style['problem']}>
          <Icon name="warn" size={14} /> {keyText(row.problem)}
        </td>
      )}
    </>
  );
});

function Workers({ row }: { readonly row: QueueRow }) {
  const { workers } = row;
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
