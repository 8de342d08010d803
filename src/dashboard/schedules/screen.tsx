/** The schedules of every board: what fires when, and what can be done with it. */

import texts from '../i18n/messages/en/schedules.json';
import { Suspense, useState } from 'react';

import { keyText } from '../api/error-text.ts';
import { addTexts, t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { Filter, useWanted } from '../kit/filter.tsx';
import { BoardFailures, Empty, Note, Skeleton } from '../kit/panel.tsx';
import { useTitle } from '../kit/title.ts';
import { useChangeView, useView } from '../view.ts';
import { removeSchedule, titleOf } from './commands.ts';
import { useCronWords } from './cron-words.ts';
import { useSchedules } from './data.ts';
import type { ScheduleRow } from './rows.ts';
import { ScheduleTable } from './table.tsx';
import { part } from '../kit/patient.ts';

addTexts(texts);

const ScheduleEditor = part(() => import('./editor.tsx'), 'ScheduleEditor');

const ScheduleCreator = part(() => import('./creator.tsx'), 'ScheduleCreator');

export function Screen() {
  const view = useView();
  const changeView = useChangeView();
  const { rows, creatable, loading, failures, problems } = useSchedules();
  const words = useCronWords();
  const [edited, edit] = useState<ScheduleRow>();
  const [leaving, leave] = useState<ScheduleRow>();
  const [creating, create] = useState(false);
  useTitle(t('schedules.title'));
  useActions(
    creatable.length > 0
      ? [
          {
            id: 'schedule-new',
            title: t('schedules.new'),
            keys: 'a',
            group: 'list',
            run: () => create(true),
          },
        ]
      : [],
  );

  const text = useWanted();
  const matching = rows.filter(
    (row) =>
      (view.queue === undefined || row.queue === view.queue) &&
      (text === '' ||
        [row.key, row.queue, row.queueTitle, row.name, row.expression, row.zone]
          .concat(row.kind === 'cron' ? words(row.expression) : undefined)
          .some((part) => part?.toLowerCase().includes(text))),
  );
  const filtered = text !== '' || view.queue !== undefined;
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('schedules.title')} {!loading && <small>{matching.length}</small>}
        </h1>
        <Filter label={t('schedules.filter')} />
        {creatable.length > 0 && (
          <Button icon="plus" onClick={() => create(true)}>
            {t('schedules.new')}
          </Button>
        )}
      </div>
      <BoardFailures failures={failures} stale="schedules.staleBoard" />
      {problems.map(({ queue, key }) => (
        <Note key={queue} tone="warn">
          {queue}: {keyText(key)}
        </Note>
      ))}
      {loading ? (
        <Skeleton />
      ) : matching.length > 0 ? (
        <ScheduleTable rows={matching} words={words} onEdit={edit} onRemove={leave} />
      ) : filtered ? (
        <Empty icon="search" title={t('schedules.noMatch')}>
          <Button onClick={() => changeView({ q: undefined, queue: undefined })}>
            {t('clearFilters')}
          </Button>
        </Empty>
      ) : failures.every(({ stale }) => stale) ? (
        <Empty icon="clock" title={t('schedules.none')}>
          {t('schedules.noneNext')}
        </Empty>
      ) : null}
      <Suspense>
        {creating && (
          <ScheduleCreator
            queues={creatable}
            initial={view.queue}
            words={words}
            close={() => create(false)}
          />
        )}
        {edited && (
          <ScheduleEditor
            key={edited.id}
            row={edited}
            words={words}
            close={() => edit(undefined)}
          />
        )}
      </Suspense>
      {leaving && (
        <Confirm
          title={t('schedules.removeTitle', { schedule: titleOf(leaving) })}
          action={t('schedules.remove')}
          close={() => leave(undefined)}
          run={() => void removeSchedule(leaving)}
        >
          {t('schedules.removeText', { queue: leaving.queue })}
        </Confirm>
      )}
    </main>
  );
}
