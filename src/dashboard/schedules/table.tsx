/** The schedules as a table; of many, only the lines in sight are in the document. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import { allBoards } from '../api/boards.ts';
import { useAllowed } from '../actions/perform.ts';
import { dayAndTime, duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { rowHeight } from '../kit/row-height.ts';
import { useRowKeys } from '../kit/row-keys.ts';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Unknown, When } from '../kit/text.tsx';
import { VirtualLines } from '../kit/virtual-lines.tsx';
import { useSettings } from '../settings.ts';
import { runAction, runNow, titleOf } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import { outcomeOf } from './outcome.ts';
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
  // Rendered again when the density, and with it the height, changes.
  useSettings();
  useRowKeys(at);
  const line = (index: number) => {
    const row = rows[index];
    return row && <ScheduleLine key={row.id} row={row} index={index} {...doing} />;
  };
  return (
    <table ref={at} className={style['table']} aria-rowcount={rows.length + 1}>
      <caption className="visually-hidden">{t('schedules.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('schedules.key')}</th>
          <th scope="col">{t('schedules.queue')}</th>
          <th scope="col">{t('schedules.when')}</th>
          <th scope="col">{t('schedules.zone')}</th>
          <th scope="col">{t('schedules.next')}</th>
          <th scope="col">{t('schedules.last')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('schedules.actions')}</span>
          </th>
        </tr>
      </thead>
      {rows.length > plainLimit ? (
        <VirtualLines count={rows.length} height={rowHeight('queue')} line={line} />
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
        <Last row={row} />
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

function Last({ row }: { readonly row: ScheduleRow }) {
  const { lastJobId, last, board, queue } = row;
  const { data: outcome } = useQuery(outcomeOf(row));
  if (lastJobId === undefined) return last === undefined ? <Unknown /> : <When time={last} />;
  return (
    <Link
      className={style['last']}
      to="/queue/$queueName/$jobId"
      params={{ queueName: queue, jobId: lastJobId }}
      search={{ board: board.param }}
      title={outcome ? stateName(outcome) : undefined}
    >
      {outcome && (
        <>
          <StateIcon state={outcome} size={12} />
          <span className="visually-hidden">{stateName(outcome)}</span>
        </>
      )}
      {last === undefined ? t('schedules.lastJob') : <When time={last} />}
    </Link>
  );
}
