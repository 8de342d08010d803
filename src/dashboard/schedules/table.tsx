/** The schedules as a table; of many, only the lines in sight are in the document. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';

import { allBoards } from '../api/boards.ts';
import { useAllowed } from '../actions/perform.ts';
import { dayAndTime, duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { useRowHeight } from '../kit/row-height.ts';
import { useRowKeys } from '../kit/row-keys.ts';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Unknown, When } from '../kit/text.tsx';
import { VirtualLines } from '../kit/virtual-lines.tsx';
import { runAction, runNow, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import { outcomesOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { ScheduleRow } from './rows.ts';
import style from './schedules.module.css';

/** Lines that a table shows without leaving out those out of sight. */
const plainLimit = 100;

interface Doing {
  readonly words: CronWords;
  readonly onEdit: (row: ScheduleRow) => void;
  readonly onRemove: (row: ScheduleRow) => void;
}

export function ScheduleTable({
  rows,
  ...doing
}: { readonly rows: readonly ScheduleRow[] } & Doing) {
  const at = useRef<HTMLTableElement>(null);
  const height = useRowHeight('queue');
  useRowKeys(at);
  const line = (index: number) => {
    const row = rows[index];
    return row && <ScheduleLine key={row.id} row={row} index={index} {...doing} />;
  };
  return (
    <table ref={at} className={`rows stacked ${style['table']}`} aria-rowcount={rows.length + 1}>
      <caption className="visually-hidden">{t('schedules.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('schedules.col.key')}</th>
          <th scope="col">{t('schedules.col.queue')}</th>
          <th scope="col">{t('schedules.col.when')}</th>
          <th scope="col">{t('schedules.col.zone')}</th>
          <th scope="col">{t('schedules.col.next')}</th>
          <th scope="col">{t('schedules.col.last')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('schedules.actions')}</span>
          </th>
        </tr>
      </thead>
      {rows.length > plainLimit ? (
        <VirtualLines count={rows.length} height={height} line={line} />
      ) : (
        <tbody>{rows.map((_, index) => line(index))}</tbody>
      )}
    </table>
  );
}

function ScheduleLine({
  row,
  index,
  words,
  onEdit,
  onRemove,
}: { readonly row: ScheduleRow; readonly index: number } & Doing) {
  const { board, queue, abilities, readOnly } = row;
  const [pending, setPending] = useState(false);
  const may = useAllowed(board, queue, row.allowed);
  const title = titleOf(row);
  const search = { board: board.param };
  const run = async () => {
    setPending(true);
    await runNow(row);
    setPending(false);
  };
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">
        <span className="mono" title={row.key}>
          {row.key === '' ? '–' : row.key}
        </span>
        {row.name !== undefined && <small> {row.name}</small>}
      </th>
      <td>
        <Link
          to="/queue/$queueName"
          params={{ queueName: queue }}
          search={search}
          data-row-link
          title={queue}
        >
          {row.queueTitle}
        </Link>
        {allBoards.length > 1 && <small> {board.title}</small>}
      </td>
      <td className={style['when']}>
        <Timing row={row} words={words} />
      </td>
      {/* Without a zone, the one of the process that adds the runs counts, which the board does not know. */}
      <td>{row.zone ?? (row.kind === 'every' ? '' : <Unknown />)}</td>
      <td>
        <span title={row.nextRuns.map((run) => dayAndTime(run, row.zone)).join('\n')}>
          <When time={row.next} />
        </span>
      </td>
      <td>
        <Last row={row} mayRead={may('job.read')} />
      </td>
      <td className={style['actions']}>
        {abilities.run && !readOnly && may(runAction(row)) && (
          <Button
            icon="play"
            pending={pending}
            aria-label={t('schedules.runLabel', { schedule: title })}
            onClick={() => void run()}
          >
            {t('schedules.run')}
          </Button>
        )}
        {abilities.edit && !readOnly && may('schedule.write') && (
          <IconButton
            icon="edit"
            label={t('schedules.editTitle', { schedule: title })}
            onClick={() => onEdit(row)}
          />
        )}
        {abilities.remove && !readOnly && may('schedule.remove') && (
          <IconButton
            icon="trash"
            label={t('schedules.removeLabel', { schedule: title })}
            onClick={() => onRemove(row)}
          />
        )}
      </td>
    </tr>
  );
}

/** An expression with its meaning, or an interval. */
function Timing({ row, words }: { readonly row: ScheduleRow; readonly words: CronWords }) {
  if (row.every !== undefined) return t('schedules.every', { every: duration(row.every) });
  const said = row.kind === 'cron' ? words(row.expression) : undefined;
  return (
    <span title={said}>
      <code dir="ltr">{row.expression}</code>
      {said !== undefined && <span className={style['words']}>{said}</span>}
    </span>
  );
}

/** The last runs: the newest with its time, the earlier ones as their states. */
function Last({ row, mayRead }: { readonly row: ScheduleRow; readonly mayRead: boolean }) {
  const { last, lastJobId } = row;
  const { data: outcomes = [] } = useQuery({ ...outcomesOf(row), enabled: mayRead });
  const [newest, ...earlier] = outcomes;
  if (!newest) {
    if (last !== undefined) return <When time={last} />;
    // Its job is gone.
    return lastJobId === undefined ? <Unknown /> : t('schedules.lastGone');
  }
  const time = newest.due ?? last;
  return (
    <span className={style['last']}>
      <RunLink row={row} run={newest}>
        {time === undefined ? t('schedules.lastJob') : <When time={time} />}
      </RunLink>
      {earlier.map((run) => (
        <RunLink key={run.jobId} row={row} run={run} />
      ))}
    </span>
  );
}

function RunLink({
  row: { board, queue },
  run: { jobId, state, due },
  children,
}: {
  readonly row: ScheduleRow;
  readonly run: Outcome;
  readonly children?: ReactNode;
}) {
  const named = due === undefined ? stateName(state) : `${stateName(state)}, ${dayAndTime(due)}`;
  return (
    <Link
      className={style['run']}
      to="/queue/$queueName/$jobId"
      params={{ queueName: queue, jobId }}
      search={{ board: board.param }}
      title={named}
    >
      <StateIcon state={state} size={12} />
      <span className="visually-hidden">{children ? stateName(state) : named}</span>
      {children}
    </Link>
  );
}
