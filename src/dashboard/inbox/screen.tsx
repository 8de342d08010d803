/** The errors of all failed jobs that are stored: how often, since when, where, and what to do about them. */

import { Suspense, useMemo, useState } from 'react';

import { exact } from '../format/number.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/inbox.json';
import { Button } from '../kit/button.tsx';
import { Filter, Pick, useWanted } from '../kit/filter.tsx';
import { BoardFailures, Empty, Note, Skeleton } from '../kit/panel.tsx';
import { Table } from '../kit/table.tsx';
import { useTitle } from '../kit/title.ts';
import { useChangeView, useView } from '../view.ts';
import { columnsFor } from './columns.tsx';
import type { Shown } from './columns.tsx';
import { Ask } from './commands.tsx';
import type { Asked } from './commands.tsx';
import { latestRelease, sinceNames, useErrors } from './data.ts';
import type { StoredError } from './data.ts';
import { isMuted, useMuted } from './muted.ts';
import style from './inbox.module.css';

addTexts(texts);

const shows = ['open', 'new', 'muted'] as const;
type Show = (typeof shows)[number];

export function Screen() {
  const { show: wantedShow, q, range: wantedRange } = useView();
  const range = sinceNames.find((each) => each === wantedRange);
  const { boards, loading, reading, failures, again } = useErrors(range);
  const changeView = useChangeView();
  const muted = useMuted();
  const text = useWanted();
  const [asked, ask] = useState<Asked>();
  useTitle(t('inbox.title'));
  const all = useMemo(
    () =>
      boards
        .flatMap((of): Shown[] => of.errors.map((error) => ({ error, of })))
        .toSorted((one, other) => other.error.lastAt - one.error.lastAt),
    [boards],
  );
  const latest = latestRelease(all.map(({ error }) => error));
  const isNew = ({ firstAt }: StoredError) => latest !== undefined && firstAt >= latest.firstAt;
  const show = shows.find((each) => each === wantedShow) ?? 'open';
  const fits = (each: Show, { error }: Shown): boolean =>
    isMuted(muted, error) === (each === 'muted') && (each !== 'new' || isNew(error));
  const labelOf = (each: Show): string => {
    const count = all.filter((shown) => fits(each, shown)).length;
    return `${t(`inbox.show.${each}`, { release: latest?.release ?? '' })} ${exact(count)}`;
  };
  const matching = all.filter(
    (each) =>
      fits(show, each) &&
      (text === '' ||
        [
          each.error.fingerprint,
          each.error.error,
          each.error.example?.message ?? '',
          ...each.error.queues.keys(),
          ...each.error.names,
        ].some((part) => part.toLowerCase().includes(text))),
  );
  const done = !loading && boards.every((each) => each.done);
  const examined = boards.reduce((count, each) => count + each.examined, 0);
  const problems = boards.flatMap((each) => each.problems);
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('inbox.title')} {all.length > 0 && <small>{exact(all.length)}</small>}
        </h1>
        <Pick<string>
          label={t('inbox.show')}
          value={show}
          options={
            latest
              ? { open: labelOf('open'), new: labelOf('new'), muted: labelOf('muted') }
              : { open: labelOf('open'), muted: labelOf('muted') }
          }
          onChange={(value) => changeView({ show: value === 'open' ? undefined : value })}
        />
        <div className="segments" role="group" aria-label={t('inbox.since')}>
          {[undefined, ...sinceNames].map((each) => (
            <button
              key={each ?? ''}
              type="button"
              aria-pressed={each === range}
              onClick={() => changeView({ range: each })}
            >
              {each ?? t('inbox.ever')}
            </button>
          ))}
        </div>
        <Filter label={t('inbox.filter')} />
        <Button look="quiet" icon="retry" pending={reading} onClick={again}>
          {t('inbox.again')}
        </Button>
      </div>
      <BoardFailures failures={failures} stale="inbox.stale" />
      {problems.length > 0 && (
        <Note tone="warn">{t('inbox.unread', { queues: problems.join(', ') })}</Note>
      )}
      <p className={style['read']} role="status">
        {t(done ? 'inbox.read' : 'inbox.reading', { count: exact(examined) })}
      </p>
      {matching.length > 0 ? (
        <Table
          caption={t('inbox.title')}
          className={`rows stacked errors ${style['table']}`}
          columns={columnsFor(ask)}
          rows={matching}
          keyOf={({ error }) => error.id}
        />
      ) : !done ? (
        failures.length === 0 && <Skeleton />
      ) : q === undefined && show === 'open' && range === undefined ? (
        <Empty icon="tick" title={t('inbox.none')} />
      ) : (
        <Empty icon="search" title={t('inbox.noMatch')}>
          <Button onClick={() => changeView({ q: undefined, show: undefined, range: undefined })}>
            {t('clearFilters')}
          </Button>
        </Empty>
      )}
      <Suspense>{asked && <Ask asked={asked} close={() => ask(undefined)} />}</Suspense>
    </main>
  );
}
