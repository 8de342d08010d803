/** The head of a queue: its name, whether it runs, and its commands. */

import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';

import type { Many } from '../job/ask-many.tsx';
import { useAllowed } from '../actions/perform.ts';
import { allBoards } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { duration, instant } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import type { Action } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import type { IconName } from '../kit/icon.tsx';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { When } from '../kit/text.tsx';
import type { ShownQueue } from './info.ts';
import { asksFirst, filterOf, retryFailed, setPaused } from './queue-commands.ts';
import type { QueueCommand } from './queue-commands.ts';
import { beginRun } from './runs.ts';
import type { RunVerb } from './runs.ts';
import {
  clean,
  deleteQueued,
  deleteStored,
  empty,
  obliterate,
  promoteAll,
} from './wide-commands.ts';
import { part } from '../kit/patient.ts';
import style from './queue.module.css';

/** States of jobs that a worker could take. */
const isWaiting: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused']);

const Sheet = part(() => import('./sheet.tsx'), 'Sheet');
const PauseReason = part(() => import('./pause-reason.tsx'), 'PauseReason');
const AddJob = part(() => import('../forms/add-job.tsx'), 'AddJob');

type Asked =
  | { readonly kind: 'add' | 'pause' }
  | { readonly kind: 'many'; readonly many: Many; readonly filter: Record<string, string> }
  | {
      readonly kind: 'confirm';
      readonly title: string;
      readonly text: string;
      readonly action: string;
      readonly typed: boolean;
      readonly run: () => void;
    };

/** Commands that are confirmed with the name of the queue. */
type Confirmed = 'empty' | 'obliterate' | 'deleteQueued' | 'deleteStored';

type AskFor = (
  name: Confirmed | 'clean',
  run: QueueCommand,
  values?: Readonly<Record<string, unknown>>,
) => void;

/** The commands in the menu. */
function itemsOf(
  { board, queueName, info }: ShownQueue,
  allowed: (action: string) => boolean,
  confirm: AskFor,
  ask: (asked: Asked) => void,
): readonly MenuItem[] {
  const { kvq, pgq, readOnly, rights } = info;
  const countOf = (state: string): number =>
    info.tabs.find((tab) => tab.state === state)?.count ?? 0;
  const [failed, delayed] = [countOf('failed'), countOf('delayed')];
  const mayRemove = !readOnly && allowed('jobs.remove');
  const typed = (can: boolean, name: Confirmed, run: QueueCommand, icon: IconName = 'trash') => ({
    can,
    id: name,
    label: t(`queue.${name}`),
    icon,
    danger: true,
    run: () => confirm(name, run),
  });
  /** Does it to every job of a state; of many, it asks. */
  const every = (verb: RunVerb, state: string, count: number, command: QueueCommand) => () => {
    if (!asksFirst(verb, count, [state])) return void command(board, queueName);
    const filter = filterOf(board, state);
    ask({ kind: 'many', many: { verb, count, states: [state], queue: info.title }, filter });
  };
  const ofPgq = pgq !== undefined && rights.writable && mayRemove;
  const items: readonly (MenuItem & { readonly can: boolean })[] = [
    {
      can: !readOnly && failed > 0 && rights.retries && allowed('jobs.retry'),
      id: 'retry-failed',
      label: t('queue.retryFailed', { count: failed }),
      icon: 'retry',
      run: every('retry', 'failed', failed, retryFailed),
    },
    {
      can: !readOnly && delayed > 0 && rights.promote && allowed('jobs.promote'),
      id: 'promote-all',
      label: t('queue.promoteAll', { count: delayed }),
      icon: 'chevrons',
      run: every('promote', 'delayed', delayed, promoteAll),
    },
    ...(['completed', 'failed', 'delayed', 'waiting'] as const).map((state) => ({
      can: kvq !== undefined && mayRemove && countOf(state) > 0,
      id: `clean-${state}`,
      label: t(`queue.clean.${state}`),
      icon: 'trash' as const,
      run: () =>
        confirm('clean', clean(state === 'waiting' ? 'wait' : state), {
          count: countOf(state),
          state: t(`state.${state}`),
        }),
    })),
    typed(kvq !== undefined && mayRemove, 'empty', empty),
    typed(
      kvq !== undefined && !readOnly && allowed('queue.obliterate'),
      'obliterate',
      obliterate,
      'cross',
    ),
    typed(ofPgq, 'deleteStored', deleteStored),
    typed(ofPgq, 'deleteQueued', deleteQueued),
    {
      can: true,
      id: 'copy-name',
      label: t('queue.copyName'),
      icon: 'copy',
      run: () => void copyText(queueName, queueName),
    },
    {
      can: true,
      id: 'copy-link',
      label: t('queue.copyLink'),
      icon: 'link',
      run: () => void copyText(location.href, queueName),
    },
  ];
  return items.filter(({ can }) => can);
}

export function QueueHead({ board, queueName, info }: ShownQueue) {
  const [asked, ask] = useState<Asked>();
  const [pending, setPending] = useState(false);
  const allowed = useAllowed(board, queueName, info.allowed);
  const { kvq, paused, readOnly } = info;
  const close = () => ask(undefined);
  const confirm: AskFor = (name, run, values = {}) =>
    ask({
      kind: 'confirm',
      title: t(`confirm.${name}.title`, { queue: info.title, ...values }),
      text: t(`confirm.${name}.text`, { queue: info.title, ...values }),
      action: t(`confirm.${name}.action`),
      typed: name !== 'clean',
      run: () => void run(board, queueName),
    });

  const canPause = !readOnly && kvq?.capabilities.pause === true && allowed('queue.pause');
  const canAdd = !readOnly && allowed('job.add');
  const togglePause = async () => {
    setPending(true);
    await setPaused(board, queueName, !paused);
    setPending(false);
  };
  const items = [
    ...(canPause && !paused
      ? [
          {
            id: 'pause-reason',
            label: t('queue.pauseReason'),
            icon: 'bars' as const,
            run: () => ask({ kind: 'pause' }),
          },
        ]
      : []),
    ...itemsOf({ board, queueName, info }, allowed, confirm, ask),
  ];
  const actions: Action[] = items.map(({ id, label, run }) => ({
    id: `queue-${id}`,
    title: label,
    group: 'queue',
    run,
  }));
  if (canPause) {
    actions.push({
      id: 'queue-pause',
      title: t(paused ? 'queue.resume' : 'queue.pause'),
      group: 'queue',
      run: () => void togglePause(),
    });
  }
  if (canAdd) {
    actions.push({
      id: 'queue-add',
      title: t('queue.add'),
      keys: 'a',
      group: 'queue',
      run: () => ask({ kind: 'add' }),
    });
  }
  useActions(actions);

  return (
    <header className="bar">
      <div className={style['what']}>
        <Link to="/" className={style['back']} aria-label={t('missing.back')}>
          <Icon name="left" size={14} />
        </Link>
        <h1>{info.title}</h1>
        <span className={style['badge']}>
          {info.library} · {info.store}
          {allBoards.length > 1 && board.title !== info.library && ` · ${board.title}`}
        </span>
        <Badges info={info} />
      </div>
      <div className={style['commands']}>
        {canPause && (
          <Button
            icon={paused ? 'play' : 'bars'}
            pending={pending}
            onClick={() => void togglePause()}
          >
            {t(paused ? 'queue.resume' : 'queue.pause')}
          </Button>
        )}
        {canAdd && (
          <Button icon="plus" onClick={() => ask({ kind: 'add' })}>
            {t('queue.add')}
          </Button>
        )}
        <Menu label={t('queue.menu', { queue: info.title })} items={items} look="plain" />
      </div>
      {info.description && <p className={style['description']}>{info.description}</p>}
      {asked?.kind === 'confirm' && (
        <Confirm
          title={asked.title}
          action={asked.action}
          typed={asked.typed ? queueName : undefined}
          close={close}
          run={asked.run}
        >
          <p>{asked.text}</p>
        </Confirm>
      )}
      <Suspense>
        {asked?.kind === 'many' && (
          <Sheet
            board={board}
            queueName={queueName}
            many={asked.many}
            filter={asked.filter}
            close={close}
            run={(rate) => {
              const { many, filter } = asked;
              void beginRun(board, queueName, many.verb as RunVerb, { filter }, { rate });
            }}
          />
        )}
      </Suspense>
      <Suspense>
        {asked?.kind === 'add' && <AddJob board={board} queueName={queueName} close={close} />}
        {asked?.kind === 'pause' && (
          <PauseReason board={board} queueName={queueName} title={info.title} close={close} />
        )}
      </Suspense>
    </header>
  );
}

/** The state of a queue: whether it runs, its limits, and how old its counts are. */
function Badges({
  info: { kvq, pgq, paused, pause, deserted, readOnly, tabs },
}: Pick<ShownQueue, 'info'>) {
  const counted = instant(pgq?.statsCapturedOn);
  const waiting = tabs.reduce(
    (sum, { state, count }) => (isWaiting.has(state) ? sum + (count ?? 0) : sum),
    0,
  );
  return (
    <>
      {kvq && (
        <span className={style['runs']} data-tone={paused || deserted ? 'warn' : undefined}>
          <Icon name={paused ? 'bars' : deserted ? 'warn' : 'play'} size={12} />
          {!paused && deserted
            ? t('queue.noWorker', { count: exact(waiting) })
            : t(paused ? 'queue.paused' : 'queue.running')}
          {pause && (
            <span dir="auto">
              <When time={pause.since} />
              {pause.by !== undefined && ` ${t('queue.pausedBy', { by: pause.by })}`}
              {pause.reason !== undefined && `: ${pause.reason}`}
            </span>
          )}
        </span>
      )}
      {readOnly && (
        <span className={style['badge']}>
          <Icon name="lock" size={12} /> {t('readOnly.badge')}
        </span>
      )}
      {kvq && kvq.activeRateLimitTtl > 0 && (
        <span className={style['badge']} data-tone="warn">
          {t('queue.limited', { time: duration(kvq.activeRateLimitTtl) })}
        </span>
      )}
      {typeof kvq?.globalConcurrency === 'number' && (
        <span className={style['badge']}>
          {t('queue.concurrency', { count: exact(kvq.globalConcurrency) })}
        </span>
      )}
      {pgq && (
        <span className={style['badge']}>
          {pgq.policy}
          {counted !== undefined && (
            <>
              {' '}
              · {t('counts.taken')} <When time={counted} />
            </>
          )}
        </span>
      )}
    </>
  );
}
