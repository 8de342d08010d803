/** A queue: its states, its jobs, and what can be done with them. */

import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useRef } from 'react';

import texts from '../i18n/messages/en/queue.json';
import { keyText } from '../api/error-text.ts';
import { useBoard } from '../api/boards.ts';
import type { QueuePlace } from '../api/boards.ts';
import { uiConfig } from '../config.ts';
import { addTexts, t } from '../i18n/index.ts';
import { noRights } from '../job/verbs.ts';
import { Icon } from '../kit/icon.tsx';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { strip } from '../live/strip.ts';
import { useTitle } from '../kit/title.ts';
import { useChangeView, useView } from '../view.ts';
import { QueueHead } from './head.tsx';
import { useQueueInfo } from './info.ts';
import type { QueueInfo, StateTab } from './info.ts';
import { Jobs } from './jobs-panel.tsx';
import { part } from '../kit/patient.ts';
import { useActions } from '../keys/keys.ts';
import { StateIcon, stateName } from '../kit/states.tsx';
import { Count } from '../kit/text.tsx';
import style from './queue.module.css';

addTexts(texts);

const Workers = part(() => import('./workers.tsx'), 'Workers');
const Failures = part(() => import('../failures/failures.tsx'), 'Failures');
const Limits = part(() => import('./limits.tsx'), 'Limits');

/** Sections of a queue besides its jobs. */
const sections = [
  { name: 'errors', icon: 'warn' },
  { name: 'workers', icon: 'play' },
  { name: 'settings', icon: 'info' },
] as const;

export function Screen() {
  const { queueName } = useParams({ strict: false }) as { queueName: string };
  const board = useBoard();
  return <Shown key={`${board.basePath} ${queueName}`} board={board} queueName={queueName} />;
}

/** A queue that is no longer there: what was last known of it, without its commands. */
const bereft = (info: QueueInfo): QueueInfo => ({ ...info, readOnly: true, rights: noRights });

function Shown({ board, queueName }: QueuePlace) {
  const view = useView();
  const changeView = useChangeView();
  const { info: current, loading, error, retry } = useQueueInfo(board, queueName);
  const known = useRef(current);
  if (current) known.current = current;
  const gone = !current && known.current !== undefined;
  const info = current ?? (known.current && bereft(known.current));
  useTitle(info?.title ?? queueName);
  const tab = view.tab ?? 'jobs';
  if (!info) {
    return (
      <main className={`screen ${style['screen']}`}>
        <h1 className={style['alone']}>{queueName}</h1>
        {loading ? (
          <Skeleton rows={10} />
        ) : error ? (
          <Failed error={error} retry={retry} />
        ) : (
          <Empty icon="warn" title={keyText('QUEUE_NOT_FOUND')}>
            <Link to="/">{t('missing.back')}</Link>
          </Empty>
        )}
      </main>
    );
  }
  const shownSections = sections.filter(
    ({ name }) =>
      (name !== 'errors' || board.hasErrorGroups) &&
      (name !== 'workers' ||
        (info.kvq
          ? info.kvq.capabilities.workers
          : board.param !== undefined || uiConfig.showWorkers !== false)),
  );
  return (
    <main className={`screen ${style['screen']}`}>
      <QueueHead board={board} queueName={queueName} info={info} />
      {gone ? (
        <Note tone="warn">{t('queue.goneNow')}</Note>
      ) : (
        error !== null && error !== undefined && <Note tone="warn">{t('stale.note')}</Note>
      )}
      {info.problem !== undefined && <Note tone="danger">{keyText(info.problem)}</Note>}
      <div className={style['tabs-line']}>
        <StateTabs
          tabs={info.tabs}
          selected={tab === 'jobs' ? (view.state ?? 'latest') : undefined}
          onSelect={(state) =>
            changeView({
              state: state === 'latest' ? undefined : state,
              cursor: undefined,
              tab: undefined,
            })
          }
        />
        <nav className={`tabs ${style['sections']}`} aria-label={t('queue.sections')}>
          {shownSections.map(({ name, icon }) => (
            <button
              key={name}
              type="button"
              aria-pressed={tab === name}
              onClick={() => changeView({ tab: tab === name ? undefined : name })}
            >
              <Icon name={icon} size={12} /> {t(`queue.${name}`)}
            </button>
          ))}
        </nav>
      </div>
      <Suspense fallback={<Skeleton />}>
        {tab === 'errors' && board.hasErrorGroups ? (
          <Failures boards={[board]} queue={queueName} />
        ) : tab === 'workers' ? (
          <Workers board={board} queueName={queueName} info={info} />
        ) : tab === 'settings' ? (
          <Limits board={board} queueName={queueName} info={info} />
        ) : (
          <Jobs board={board} queueName={queueName} info={info} />
        )}
      </Suspense>
    </main>
  );
}

function StateTabs({
  tabs,
  selected,
  onSelect,
}: {
  readonly tabs: readonly StateTab[];
  readonly selected: string | undefined;
  readonly onSelect: (state: string) => void;
}) {
  useActions(
    tabs.slice(0, 9).map(({ state }, at) => ({
      id: `state-${state}`,
      title: t('queue.showState', { state: stateName(state) }),
      keys: String(at + 1),
      group: 'list' as const,
      run: () => onSelect(state),
    })),
  );
  return (
    <nav ref={strip} className={`tabs ${style['states']}`} aria-label={t('queue.states')}>
      {tabs.map(({ state, count, capped }) => (
        <button
          key={state}
          type="button"
          aria-current={state === selected ? 'page' : undefined}
          onClick={() => onSelect(state)}
        >
          {state !== 'latest' && <StateIcon state={state} size={12} />}
          {stateName(state)}{' '}
          {count !== undefined && state !== 'latest' && (
            <span>
              <Count value={count} capped={capped} />
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}
