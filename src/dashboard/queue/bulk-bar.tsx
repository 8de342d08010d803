/** Commands for the selected jobs, with all that match, or with all of a state. */

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { useAllowed } from '../actions/perform.ts';
import { toJob } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { copyText } from '../kit/copy.ts';
import { stateName } from '../kit/states.tsx';
import { verbIcons, verbKeys } from '../job/verbs.ts';
import type { JobRow } from './jobs.ts';
import { asksFirst } from './queue-commands.ts';
import { beginRun, useRun } from './runs.ts';
import type { RunVerb } from './runs.ts';
import { useSelection } from './selection.ts';
import type { List, Running } from './selection.ts';
import { Sheet } from './sheet.tsx';
import { clean } from './wide-commands.ts';
import { useView } from '../view.ts';
import style from './queue.module.css';

export function BulkBar(list: List) {
  const [running, run] = useState<Running>();
  const jobs = list.rows.filter(({ id }) => list.selected.has(id));
  if (running) {
    return (
      <div className={style['bulk']} role="status">
        <progress max={running.of} value={running.done} aria-label={t('bulk.running')} />
        <span>{t('bulk.progress', { done: exact(running.done), of: exact(running.of) })}</span>
        <Button onClick={running.stop}>{t('bulk.stop')}</Button>
      </div>
    );
  }
  return jobs.length === 0 ? (
    <AllOfState {...list} />
  ) : (
    <Selection list={list} jobs={jobs} run={run} />
  );
}

function AllOfState({ board, queueName, info, state, filter, total = 0 }: List) {
  const [asking, ask] = useState<RunVerb>();
  const [pending, wait] = useState(false);
  const allowed = useAllowed(board, queueName, info.allowed);
  const ofQueue = useRun(board, queueName);
  const { rights } = info;
  const isKvq = board.engine === 'kvq';
  const verb: RunVerb | undefined =
    isKvq && state === 'delayed' && rights.promote && allowed('jobs.promote')
      ? 'promote'
      : state === 'failed' && rights.retries && allowed('jobs.retry')
        ? 'retry'
        : undefined;
  const cleanable =
    isKvq && ['completed', 'failed', 'delayed'].includes(state) && allowed('jobs.remove');
  if (ofQueue || !rights.writable || total === 0 || (!verb && !cleanable)) return null;
  const start = async (wanted: RunVerb, rate?: number) => {
    if (!filter) return;
    wait(true);
    await beginRun(board, queueName, wanted, { filter }, { rate });
    wait(false);
  };
  const words = { queue: queueName, count: total, state: stateName(state) };
  const asks = verb && asksFirst(verb, total, [state]);
  const close = () => ask(undefined);
  return (
    <div className={style['bulk']} data-quiet>
      {verb && (
        <Button
          icon={verbIcons[verb]}
          pending={pending}
          onClick={() => (asks ? ask(verb) : void start(verb))}
        >
          {t(verb === 'retry' ? 'queue.retryFailed' : 'queue.promoteAll', words)}
          {asks && '…'}
        </Button>
      )}
      {cleanable && (
        <Button look="quiet" icon="trash" onClick={() => ask('remove')}>
          {t('queue.removeAll', words)}
        </Button>
      )}
      {asking === 'remove' ? (
        <Confirm
          title={t('confirm.clean.title', words)}
          action={t('confirm.clean.action')}
          close={close}
          run={() => void clean(state)(board, queueName)}
        >
          <p>{t('confirm.clean.text', words)}</p>
        </Confirm>
      ) : (
        asking && (
          <Sheet
            board={board}
            queueName={queueName}
            many={{ verb: asking, count: total, states: [state], queue: queueName }}
            filter={filter}
            close={close}
            run={(rate) => void start(asking, rate)}
          />
        )
      )}
    </div>
  );
}

function Selection({
  list,
  jobs,
  run,
}: {
  readonly list: List;
  readonly jobs: readonly JobRow[];
  readonly run: (running: Running | undefined) => void;
}) {
  const { state, text, rows, selected, select } = list;
  const { asked, counted, close, begin, start, pending, matched, matchAll, verbs } = useSelection(
    list,
    jobs,
    run,
  );
  const words = { state: stateName(state), filter: text };
  const navigate = useNavigate();
  const view = useView();
  const compare = () => {
    const [one, other] = jobs;
    if (!one || !other) return;
    const both = { ...view, with: other.id };
    void navigate(toJob(list.board, list.queueName, one.id, both));
  };
  useActions(
    verbs.map((verb) => ({
      id: `bulk-${verb}`,
      title: t(`verb.${verb}`),
      ...(verbKeys[verb] && { keys: verbKeys[verb] }),
      group: 'job' as const,
      run: () => void begin(verb),
    })),
  );
  const isWhole = list.hasOthers && rows.every(({ id }) => selected.has(id));
  return (
    <div className={style['bulk']} role="region" aria-label={t('bulk.label')}>
      <span className={style['chosen']}>
        {matched === undefined
          ? t('bulk.selected', { count: jobs.length })
          : t(text ? 'bulk.allMatching' : 'bulk.allOfState', { count: matched, ...words })}
      </span>
      {!isWhole ? (
        <Button look="quiet" onClick={() => select(new Set(rows.map(({ id }) => id)))}>
          {t('list.selectPage')}
        </Button>
      ) : (
        matched === undefined &&
        matchAll && (
          <Button look="quiet" pending={pending === 'matching'} onClick={() => void matchAll()}>
            {t(text ? 'bulk.selectMatching' : 'bulk.selectState', words)}
          </Button>
        )
      )}
      <Button look="quiet" onClick={() => select(new Set())}>
        {t('list.selectNone')}
      </Button>
      <span className={style['gap']} />
      {verbs.map((verb) => (
        <Button
          key={verb}
          icon={verbIcons[verb]}
          look={verb === 'remove' ? 'danger' : verb === 'retry' ? 'primary' : 'plain'}
          hint={verbKeys[verb]}
          pending={pending === verb}
          onClick={() => void begin(verb)}
        >
          {t(`verb.${verb}`)}
          {verb === 'remove' && '…'}
        </Button>
      ))}
      {matched === undefined && jobs.length === 2 && (
        <Button look="quiet" icon="link" onClick={() => compare()}>
          {t('compare.action')}
        </Button>
      )}
      {matched === undefined && (
        <Button
          look="quiet"
          icon="copy"
          onClick={() => void copyText(jobs.map(({ id }) => id).join('\n'), t('bulk.ids'))}
        >
          {t('bulk.copyIds')}
        </Button>
      )}
      {asked && (
        <Sheet
          board={list.board}
          queueName={list.queueName}
          many={asked}
          filter={matched === undefined ? undefined : list.filter}
          counted={counted}
          close={close}
          run={(rate) => void start(asked.verb, rate)}
        />
      )}
    </div>
  );
}
