/** The recorded history of a queue, or of all: throughput, percentiles, age. The URL holds queue and time. */

import queueTexts from '../i18n/messages/en/queue.json';
import texts from '../i18n/messages/en/metrics.json';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';

import { allBoards, ownBoard, useBoard } from '../api/boards.ts';
import { pgqInfo } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { exact, short } from '../format/number.ts';
import { dayAndTime, duration } from '../format/time.ts';
import { addTexts, t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { Empty } from '../kit/panel.tsx';
import { useTitle } from '../kit/title.ts';
import { useMinute } from '../live/minute.ts';
import { useOverview } from '../overview/data.ts';
import { useChangeView, useView } from '../view.ts';
import { depth, hasDepth, latency, percentiles, queueAge, throughput } from './data.ts';
import type { Points } from './data.ts';
import { Panel } from './panel.tsx';
import { chosenSpan, momentOf, rangeOf, ranges, reshape } from './ranges.ts';
import type { RangeName, Span } from './ranges.ts';
import { Storage } from './storage.tsx';
import { part } from '../kit/patient.ts';
import style from './metrics.module.css';

addTexts({ ...queueTexts, ...texts });

const Moment = part(() => import('./moment.tsx'), 'Moment');

type Values = readonly (number | null)[];

/** Where nothing was recorded, there is no sum. */
const sum = (values: Values): number | null => {
  const known = values.filter((each) => each !== null);
  return known.length > 0 ? known.reduce((total, each) => total + each, 0) : null;
};
const last = (values: Values): number | null => values.findLast((each) => each !== null) ?? null;
const most = (values: Values): number | null => {
  const known = values.filter((each) => each !== null);
  return known.length > 0 ? Math.max(...known) : null;
};

/** The view of a span. */
const shownSpan = ({ from, to }: Span) => ({
  from: String(from),
  to: String(to),
  range: undefined,
});

export function Screen() {
  const board = useBoard();
  const view = useView();
  const changeView = useChangeView();
  const now = useMinute();
  const { queue } = view;
  const range = rangeOf(view);
  const chosen = chosenSpan(view);
  const span = chosen ?? { from: now - ranges[range], to: now };
  useTitle(t('nav.metrics'), queue ?? '');

  // The configuration speaks of the page's own board; another one answers for itself.
  const own = board === ownBoard;
  const recorded = !own || uiConfig.hasHistoryProvider === true;
  const timed = !own || uiConfig.hasLatencyHistory === true;
  const compares = view.compare === 'yes';
  const { data: info } = useQuery({ ...pgqInfo(board), enabled: board.engine === 'pgq' });
  const counted = board.engine === 'pgq' && info?.features.queueDepth === true;
  const moment = momentOf(view);
  const showMoment = ({ from, to }: Span) => changeView({ at: `${from}-${to}` });

  if (!recorded && !counted) {
    return (
      <main className={`screen ${style['screen']}`}>
        <h1>{t('nav.metrics')}</h1>
        <Empty title={t('metrics.off')}>{t('metrics.offNext')}</Empty>
      </main>
    );
  }
  const show = (chosenNow: Span) => changeView(shownSpan(chosenNow));
  const common = { span, compares, onSpan: show, onMoment: showMoment };
  const percentileLines = percentiles.map((percentile, index) => ({
    label: `p${percentile}`,
    colour: ['completed', 'active', 'failed'][index] ?? 'active',
    ...(index > 0 && { dash: index === 1 ? [7, 4] : [2, 3] }),
  }));
  const finishedTitle = (points: Points | undefined): string =>
    t(`metrics.finished.${points?.unit ?? 'hour'}`);
  return (
    <main className={`screen ${style['screen']}`}>
      <Bar span={span} now={now} offersCompare={recorded} />
      <div className={style['grid']}>
        {recorded && (
          <>
            <Panel
              {...common}
              title={finishedTitle}
              read={(at) => throughput(board, queue, at, now)}
              scale="count"
              lines={[
                { label: t('state.completed'), colour: 'completed', filled: true },
                { label: t('state.failed'), colour: 'failed', dash: [7, 3] },
              ]}
              print={exact}
              printTick={short}
              summary={sum}
              empty={t('metrics.noneFinished')}
              compared={[0, 1]}
            />
            <Panel
              {...common}
              title={() => t('metrics.age')}
              read={(at) => queueAge(board, queue, at)}
              scale="time"
              lines={[{ label: t('metrics.oldest'), colour: 'delayed', filled: true }]}
              print={duration}
              summary={most}
              empty={t('metrics.noneWaited')}
              compared={[0]}
            />
          </>
        )}
        {recorded &&
          timed &&
          (['runtime', 'waittime'] as const).map((metric) => (
            <Panel
              {...common}
              key={metric}
              title={() => t(`metrics.${metric}`)}
              note={t('metrics.logarithmic')}
              read={(at) => latency(board, metric, queue, at)}
              lines={percentileLines}
              scale="logarithmic"
              print={duration}
              summary={last}
              empty={t('metrics.noneTimed')}
              // The middle one stands for all three.
              compared={[1]}
            />
          ))}
        {counted && queue !== undefined && hasDepth(span, now) && (
          <Panel
            {...common}
            title={() => t('metrics.depth')}
            read={(at) => depth(board, queue, at, now)}
            scale="count"
            stacked
            lines={[
              { label: t('state.active'), colour: 'active', filled: true },
              { label: t('state.ready'), colour: 'waiting', filled: true, dash: [7, 3] },
              { label: t('state.deferred'), colour: 'delayed', filled: true, dash: [2, 3] },
            ]}
            print={exact}
            printTick={short}
            summary={last}
            empty={t('metrics.noneCounted')}
          />
        )}
      </div>
      {moment && (
        <Suspense>
          <Moment
            board={board}
            queue={queue}
            moment={moment}
            close={() => changeView({ at: undefined })}
          />
        </Suspense>
      )}
      {recorded && (!own || uiConfig.hasHistoryUsage || uiConfig.canPurgeHistory) && (
        <Storage
          key={board.basePath}
          board={board}
          queue={queue}
          canPurge={uiConfig.canPurgeHistory === true}
        />
      )}
    </main>
  );
}

/** The queue, the time and the comparison that the charts show. */
function Bar({
  span,
  now,
  offersCompare,
}: {
  readonly span: Span;
  readonly now: number;
  readonly offersCompare: boolean;
}) {
  const view = useView();
  const changeView = useChangeView();
  const [range, chosen, compares] = [rangeOf(view), chosenSpan(view), view.compare === 'yes'];
  const step = (move: number, stretch: number) => () =>
    changeView(shownSpan(reshape(span, move, stretch, now)));
  return (
    <div className={`bar ${style['bar']}`}>
      <h1>{t('nav.metrics')}</h1>
      <Picker />
      <div className={`segments ${style['ranges']}`} role="group" aria-label={t('metrics.range')}>
        {(Object.keys(ranges) as RangeName[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={!chosen && name === range}
            onClick={() => changeView({ range: name, from: undefined, to: undefined })}
          >
            {name}
          </button>
        ))}
      </div>
      <div className={style['steps']} role="group" aria-label={t('metrics.move')}>
        <IconButton label={t('metrics.earlier')} icon="left" onClick={step(-0.5, 1)} />
        <IconButton
          label={t('metrics.later')}
          title={t(span.to >= now ? 'metrics.noLater' : 'metrics.later')}
          icon="right"
          disabled={span.to >= now}
          onClick={step(0.5, 1)}
        />
        <Button look="quiet" onClick={step(0, 0.5)}>
          {t('metrics.zoomIn')}
        </Button>
        <Button look="quiet" onClick={step(0, 2)}>
          {t('metrics.zoomOut')}
        </Button>
        {chosen && (
          <Button
            icon="cross"
            onClick={() => changeView({ range: undefined, from: undefined, to: undefined })}
          >
            {t('metrics.reset')}
          </Button>
        )}
      </div>
      {offersCompare && (
        <>
          <Button
            look="quiet"
            onClick={() =>
              changeView({ range: '7d', from: undefined, to: undefined, compare: 'yes' })
            }
          >
            {t('metrics.weeks')}
          </Button>
          <Button
            look="quiet"
            aria-pressed={compares}
            onClick={() => changeView({ compare: compares ? undefined : 'yes' })}
          >
            {t('metrics.compare')}
          </Button>
        </>
      )}
      <p className={style['span']}>
        {dayAndTime(span.from)} – {dayAndTime(span.to)}
      </p>
    </div>
  );
}

/** The queues of every board, and all of a board together. */
function Picker() {
  const board = useBoard();
  const { queue = '' } = useView();
  const changeView = useChangeView();
  const { rows } = useOverview();
  const valueOf = (basePath: string, name: string): string => JSON.stringify([basePath, name]);
  const groups = allBoards.map((each) => {
    const names = rows
      .filter((row) => row.board === each)
      .map(({ name, title }) => ({ name, title }));
    // The queue of a link may be gone, or not be read yet.
    if (each === board && queue !== '' && !names.some(({ name }) => name === queue)) {
      names.push({ name: queue, title: queue });
    }
    return { each, names };
  });
  return (
    <select
      className={style['picker']}
      aria-label={t('metrics.queue')}
      value={valueOf(board.basePath, queue)}
      onChange={({ target }) => {
        const [basePath, name] = JSON.parse(target.value) as [string, string];
        const next = allBoards.find((each) => each.basePath === basePath);
        changeView({ board: next?.param, queue: name === '' ? undefined : name });
      }}
    >
      {groups.map(({ each, names }) => (
        <optgroup key={each.basePath} label={each.title}>
          <option value={valueOf(each.basePath, '')}>{t('metrics.allQueues')}</option>
          {names.map(({ name, title }) => (
            <option key={name} value={valueOf(each.basePath, name)}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
