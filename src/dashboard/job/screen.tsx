/** One job: what happened, why, and what can be done. */

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';

import { AskMany } from './ask-many.tsx';
import { toQueue, useBoard } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { addTexts, t } from '../i18n/index.ts';
import jobTexts from '../i18n/messages/en/job.json';
import queueTexts from '../i18n/messages/en/queue.json';
import { useActions } from '../keys/keys.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { Menu } from '../kit/menu.tsx';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { StateMark } from '../kit/states.tsx';
import { strip } from '../live/strip.ts';
import { useTitle } from '../kit/title.ts';
import { attemptOf } from '../queue/jobs.ts';
import { useChangeView, useView } from '../view.ts';
import { useBack, useJobCommands } from './commands.ts';
import { jobDetail } from './detail.ts';
import type { JobDetail } from './detail.ts';
import { JobError } from './error.tsx';
import { Held } from '../course/held.tsx';
import { JsonView } from './json-view.tsx';
import { Logs } from './logs.tsx';
import { Timeline } from './timeline.tsx';
import { verbIcons, verbKeys } from './verbs.ts';
import { part } from '../kit/patient.ts';
import style from './job.module.css';

addTexts(queueTexts);
addTexts(jobTexts);

const Waterfall = part(() => import('../course/waterfall.tsx'), 'Waterfall');
const Compare = part(() => import('../course/compare.tsx'), 'Compare');
const ChooseOther = part(() => import('../course/choose-other.tsx'), 'ChooseOther');
const AddJob = part(() => import('../forms/add-job.tsx'), 'AddJob');
const Editor = part(() => import('./editor.tsx'), 'Editor');
const Flow = part(() => import('./flow.tsx'), 'Flow');
const Dependencies = part(() => import('./dependencies.tsx'), 'Dependencies');
const Reschedule = part(() => import('./reschedule.tsx'), 'Reschedule');

export function Screen() {
  const { queueName, jobId } = useParams({ strict: false }) as { queueName: string; jobId: string };
  const board = useBoard();
  const { data, error, isPending, refetch } = useQuery(jobDetail(board, queueName, jobId));
  useTitle(data?.name || jobId, queueName);
  const back = useBack(queueName);
  // A job that is shown brings its own actions.
  useActions(data ? [] : [back]);
  const missing = error !== null && failureOf(error).status === 404;
  if (!data) {
    return (
      <main className={`screen ${style['screen']}`}>
        <h1 className={style['alone']}>{jobId}</h1>
        {isPending ? (
          <Skeleton rows={10} />
        ) : missing ? (
          <Empty icon="warn" title={t('job.gone')}>
            <Link {...toQueue(board, queueName)}>{t('job.back', { queue: queueName })}</Link>
          </Empty>
        ) : (
          <Failed error={error} retry={() => void refetch()} />
        )}
      </main>
    );
  }
  return <Shown key={`${queueName} ${jobId}`} job={data} error={error} missing={missing} />;
}

function Shown({
  job,
  error,
  missing,
}: {
  readonly job: JobDetail;
  readonly error: unknown;
  readonly missing: boolean;
}) {
  const board = useBoard();
  const view = useView();
  const changeView = useChangeView();
  const { queueName, id, state } = job;
  const commands = useJobCommands(job, missing);
  const { info, asked, ask, run } = commands;
  const capabilities = info?.kvq?.capabilities;
  const attempts = attemptOf(job, info?.countsEnded ?? false) ?? job.attempts;

  const lacksData = job.isReplaced || job.truncated.includes('data');
  const withLogs = capabilities?.logs === true;
  const tabs = [
    'data',
    ...(job.result !== undefined && job.result !== 'null' ? ['result'] : []),
    ...(job.options !== undefined ? ['options'] : []),
    ...(withLogs ? ['logs'] : []),
    ...(capabilities?.flows ? ['flow'] : []),
    ...(board.engine === 'pgq' ? ['flow'] : []),
    'raw',
  ] as const;
  const tab = tabs.includes(view.tab ?? '') ? (view.tab ?? 'data') : 'data';
  const isRaw = tab === 'raw';
  const raw = useMemo(() => (isRaw ? JSON.stringify(job.whole) : ''), [isRaw, job.whole]);
  const shown = { data: job.data, result: job.result, options: job.options, raw }[tab];
  return (
    <main className={`screen ${style['screen']}`}>
      <header className={`bar ${style['head']}`}>
        <Link {...toQueue(board, queueName, { ...view, tab: undefined })} className={style['back']}>
          <Icon name="left" size={14} />
          {info?.title ?? queueName}
        </Link>
        <div className={style['what']}>
          <h1>
            {job.name && <span>{job.name}</span>} <span className="mono">{id}</span>
          </h1>
          <StateMark state={state} />
          <span className={style['attempts']}>
            {job.attemptsLimit === undefined
              ? t('job.attempt', { count: attempts })
              : t('job.attemptOf', { count: attempts, of: job.attemptsLimit })}
          </span>
        </div>
        <Commands commands={commands} />
      </header>
      {missing && <Note tone="warn">{t('job.goneNow')}</Note>}
      {error !== null && error !== undefined && !missing && (
        <Note tone="warn">{t('stale.note')}</Note>
      )}
      {job.orphaned && <Note tone="warn">{t('job.orphaned')}</Note>}
      <Held board={board} job={job} />
      <Timeline job={job} attempts={attempts} />
      <Suspense>
        <Waterfall board={board} job={job} attempts={attempts} info={info} />
      </Suspense>
      {view.with && view.with !== id && (
        <Suspense fallback={<Skeleton rows={6} />}>
          <Compare key={view.with} board={board} job={job} otherId={view.with} />
        </Suspense>
      )}
      {job.percent !== undefined && state === 'active' && (
        <div className={style['progress']}>
          <progress max={100} value={job.percent} aria-label={t('col.progress')} />{' '}
          {Math.round(job.percent)} %
        </div>
      )}
      <JobError job={job} />
      <div className={style['columns']}>
        <section className={style['values']}>
          <nav ref={strip} className={`tabs ${style['tabs']}`} aria-label={t('job.parts')}>
            {tabs.map((name) => (
              <button
                key={name}
                type="button"
                aria-current={name === tab ? 'page' : undefined}
                onClick={() =>
                  changeView({ tab: name === 'data' ? undefined : name }, { replace: true })
                }
              >
                {t(`job.tab.${name as 'data'}`)}
              </button>
            ))}
          </nav>
          {tab === 'logs' ? (
            <Logs board={board} queueName={queueName} jobId={id} follow={state === 'active'} />
          ) : tab === 'flow' ? (
            <Suspense fallback={<Skeleton rows={4} />}>
              {board.engine === 'kvq' ? (
                <Flow board={board} queueName={queueName} jobId={id} />
              ) : (
                <Dependencies board={board} queueName={queueName} jobId={id} />
              )}
            </Suspense>
          ) : (
            <>
              {job.truncated.includes(tab) && <Note tone="warn">{t('job.truncated')}</Note>}
              <JsonView text={shown} label={t(`job.tab.${tab as 'data'}`)} />
            </>
          )}
        </section>
        <Facts job={job} />
      </div>
      {(asked === 'remove' || asked === 'retry') && (
        <AskMany
          many={{ verb: asked, count: 1, states: [state], queue: `${queueName}: ${id}` }}
          close={() => ask(undefined)}
          run={() => void run(asked)}
        />
      )}
      <Suspense>
        {(asked === 'edit' || asked === 'edit-retry') && (
          <Editor
            board={board}
            job={job}
            close={() => ask(undefined)}
            then={asked === 'edit-retry' ? () => run('retry') : undefined}
          />
        )}
        {asked === 'compare' && <ChooseOther job={job} close={() => ask(undefined)} />}
        {asked === 'duplicate' && (
          <AddJob
            board={board}
            queueName={queueName}
            close={() => ask(undefined)}
            initial={{ name: job.name, data: lacksData ? undefined : job.data, lacksData }}
          />
        )}
        {(asked === 'delay' || asked === 'priority') && (
          <Reschedule board={board} job={job} kind={asked} close={() => ask(undefined)} />
        )}
      </Suspense>
    </main>
  );
}

/** The commands of a job, and the ways to its neighbours in the list. */
function Commands({
  commands: { verbs, items, canEdit, ask, begin, pending, previous, next, open },
}: {
  readonly commands: ReturnType<typeof useJobCommands>;
}) {
  return (
    <div className={style['commands']}>
      {verbs.map((verb) => (
        <Button
          key={verb}
          icon={verbIcons[verb]}
          look={verb === 'retry' ? 'primary' : verb === 'remove' ? 'danger' : 'plain'}
          hint={verbKeys[verb]}
          pending={pending === verb}
          onClick={() => begin(verb)}
        >
          {t(`verb.${verb}`)}
          {verb === 'remove' && '…'}
        </Button>
      ))}
      {canEdit && (
        <Button icon="edit" hint="e" onClick={() => ask('edit')}>
          {t('job.edit')}
        </Button>
      )}
      <Menu label={t('job.menu')} items={items} look="plain" />
      <span className={style['neighbours']}>
        <IconButton
          label={t('job.previous')}
          title={previous === undefined ? t('job.noPrevious') : t('job.previous')}
          icon="up"
          disabled={previous === undefined}
          onClick={open(previous)}
        />
        <IconButton
          label={t('job.next')}
          title={next === undefined ? t('job.noNext') : t('job.next')}
          icon="down"
          disabled={next === undefined}
          onClick={open(next)}
        />
      </span>
    </div>
  );
}

function Facts({ job }: { readonly job: JobDetail }) {
  const facts: [string, string][] = [
    [t('fact.queue'), job.queueName],
    ...(job.worker === undefined ? [] : [[t('fact.worker'), job.worker] as [string, string]]),
    ...(job.priority ? [[t('col.priority'), String(job.priority)] as [string, string]] : []),
    ...Object.entries(job.facts),
  ];
  return (
    <aside className={style['facts']} aria-label={t('job.facts')}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {job.progress !== undefined && (
        <>
          <h2>{t('col.progress')}</h2>
          <JsonView text={job.progress} label={t('col.progress')} plain />
        </>
      )}
      {job.trace !== undefined && (
        <a href={job.trace} target="_blank" rel="noreferrer">
          {t('job.trace')} <Icon name="out" size={12} />
        </a>
      )}
      {job.link && (
        <a href={job.link.href} target="_blank" rel="noreferrer">
          {job.link.text ?? t('job.external')} <Icon name="out" size={12} />
        </a>
      )}
    </aside>
  );
}
